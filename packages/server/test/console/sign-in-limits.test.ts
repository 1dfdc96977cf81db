// Limits on password guessing through the console's API.
import assert from 'node:assert/strict';
import { PasswordHasher } from '../../src/accounts/sign-in/password-hasher.ts';
import { onSqlite } from '../../src/storage/testing/engines.ts';
import { Browser, openConsole, PASSWORD } from './console-app.ts';

const ADA = 'ada@example.org';
const signIn = (browser: Browser, password: string, headers: Record<string, string> = {}, email = ADA) =>
  browser.ask('POST', '/api/auth/sign-in/email', { email, password }, headers);
const behind = (address: string) => ({ 'x-forwarded-for': address });

onSqlite('behind a trusted proxy, one attacker does not lock out others', async (t, place) => {
  const { app } = await openConsole(t, place, { trustedProxies: ['127.0.0.0/8'] });
  const browser = new Browser(app);
  let answer = await signIn(browser, 'a guess', behind('203.0.113.9'), 'nobody@example.org');
  for (let n = 0; n < 8; n++) answer = await signIn(browser, 'a guess', behind('203.0.113.9'), 'nobody@example.org');
  assert.equal(answer.statusCode, 429);
  assert.equal(answer.json().error.code, 'RATE_LIMITED');
  assert.match(String(answer.headers['retry-after']), /^\d+$/);
  assert.equal((await signIn(browser, PASSWORD, behind('198.51.100.7'))).statusCode, 200);
});

onSqlite('an unusable Host header is refused', async (t, place) => {
  const { app } = await openConsole(t, place);
  const answer = await signIn(new Browser(app), PASSWORD, { host: 'localhost:99999' });
  assert.deepEqual([answer.statusCode, answer.json().error.code], [400, 'INVALID_REQUEST']);
});

onSqlite('without a trusted proxy, the forwarding header is ignored', async (t, place) => {
  const { app } = await openConsole(t, place);
  const browser = new Browser(app);
  const statuses: number[] = [];
  for (let n = 0; n < 9; n++)
    statuses.push((await signIn(browser, 'a guess', behind(`203.0.113.${n}`), 'nobody@example.org')).statusCode);
  assert.equal(statuses.at(-1), 429);
});

onSqlite('guessing the password of one person from many addresses is limited', async (t, place) => {
  const { app } = await openConsole(t, place, { trustedProxies: ['127.0.0.0/8'] });
  const browser = new Browser(app);
  const statuses: number[] = [];
  for (let n = 0; n < 21; n++) {
    const email = n % 2 ? ADA : ` ${ADA.toUpperCase()}`.trim();
    statuses.push((await signIn(browser, 'a guess', behind(`203.0.113.${n}`), email)).statusCode);
  }
  assert.deepEqual(new Set(statuses.slice(0, 20)), new Set([401]));
  assert.equal(statuses[20], 429);
});

onSqlite('a successful sign-in resets the count of that person', async (t, place) => {
  const { app, storage } = await openConsole(t, place);
  const browser = new Browser(app);
  await signIn(browser, 'a guess');
  const counted = () =>
    storage.write.selectFrom('sign_in_attempts').select('count').where('key', 'like', 'person %').execute();
  assert.equal((await counted()).length, 1);
  assert.equal((await signIn(browser, PASSWORD)).statusCode, 200);
  assert.equal((await counted()).length, 0);
});

onSqlite("too many concurrent sign-ins are refused with the contract's error format", async (t, place) => {
  const passwords = new PasswordHasher();
  t.after(() => passwords.close());
  const { app } = await openConsole(t, place, { trustedProxies: ['127.0.0.0/8'], passwords });
  const browser = new Browser(app);
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => signIn(browser, 'a guess', behind(`203.0.113.${n}`), `p${n}@example.org`)),
  );
  const refused = answers.filter(({ statusCode }) => statusCode === 503);
  assert.ok(refused.length >= 1, String(answers.map(({ statusCode }) => statusCode)));
  for (const answer of refused) {
    assert.equal(answer.json().error.code, 'SERVICE_UNAVAILABLE');
    assert.match(String(answer.headers['retry-after']), /^\d+$/);
  }
  for (const { statusCode } of answers) assert.ok([401, 503].includes(statusCode), String(statusCode));
});
