// A public address with a path: console, links, documents, cookies and streams, behind a proxy that keeps or strips it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Faircopy } from '@faircopy/client';
import { createFirstAdministratorInvitation } from '../../src/accounts/people/invitations.ts';
import { parseConfig } from '../../src/app/config.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { wavOf } from './forms.ts';
import { type Service, startService } from './service.ts';

const WAV_HEADER_BYTES = 44;
const PUBLIC_URL = 'https://example.com/speech';
const withPath = { config: { publicUrl: parseConfig({ FAIRCOPY_PUBLIC_URL: `${PUBLIC_URL}/` }).publicUrl } };
const HEADERS = { 'content-type': 'application/json', origin: 'https://example.com', 'sec-fetch-site': 'same-origin' };

// biome-ignore lint/suspicious/noExplicitAny: what is read is asserted on at once.
const json = (answer: Response): Promise<any> => answer.json();

/** The first administrator's sign-in, as the browser's page sends it. */
const welcomed = async ({ app, accountId }: Service, base: string) => {
  const token = await createFirstAdministratorInvitation(app.storage, accountId, 'a');
  return fetch(`${base}/console/api/welcome/${token}`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({ name: 'Ada', email: 'ada@example.org', password: 'a long enough one' }),
  });
};

for (const [proxy, path] of [
  ['keeps', '/speech'],
  ['strips', ''],
] as const)
  test(`a proxy that ${proxy} the path`, async (t) => {
    const service = await startService(t, withPath);
    const base = `${service.url}${path}`;
    const root = await fetch(`${base}/`, { redirect: 'manual' });
    assert.equal(root.headers.get('location'), '/speech/console');
    const page = await (await fetch(`${base}/console/usage`)).text();
    const [, script] = /src="([^"]+)"/.exec(page) ?? [];
    assert.match(script ?? '', /^\/speech\/console\/assets\/.+\.js$/);
    assert.equal((await fetch(base + script!.slice('/speech'.length))).status, 200);
    const openApi = await json(await fetch(`${base}/openapi.json`));
    assert.deepEqual(openApi.servers, [{ url: PUBLIC_URL }]);
    const asyncApi = await json(await fetch(`${base}/asyncapi.json`));
    assert.deepEqual(asyncApi.servers.this, { host: 'example.com', protocol: 'wss', pathname: '/speech' });

    const signedIn = await welcomed(service, base);
    assert.equal(signedIn.status, 200);
    const cookies = signedIn.headers.getSetCookie();
    for (const cookie of cookies) assert.match(cookie, /Path=\/speech;.*Secure/i);
    const cookie = cookies.map((text) => text.split(';')[0]).join('; ');
    assert.equal((await fetch(`${base}/console/api/me`, { headers: { cookie } })).status, 200);
    const invited = await fetch(`${base}/console/api/accounts/${service.accountId}/invitations`, {
      method: 'POST',
      headers: { ...HEADERS, cookie },
      body: JSON.stringify({ role: 'member', email: null }),
    });
    assert.match((await json(invited)).link, /^https:\/\/example\.com\/speech\/console\/welcome\/.+/);

    const wav = new Uint8Array(wavOf(spoken(story(3))));
    const faircopy = new Faircopy({ baseUrl: base, apiKey: service.key });
    const answer = await faircopy.transcribe(wav);
    const stream = faircopy.stream();
    await stream.send(wav.subarray(WAV_HEADER_BYTES));
    assert.equal((await stream.finish()).result.transcript, answer.result.transcript);
  });

test('a browser that sends only its origin is recognised by the public URL, regardless of the Host that a proxy sends', async (t) => {
  const service = await startService(t, { config: { publicUrl: 'http://speech.example.org' } });
  const token = await createFirstAdministratorInvitation(service.app.storage, service.accountId, 'a');
  const ask = (origin: string) =>
    fetch(`${service.url}/console/api/welcome/${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ name: 'Ada', email: 'ada@example.org', password: 'a long enough one' }),
    });
  // The same host with another scheme or port is another site, and so is a malformed origin.
  for (const origin of ['https://speech.example.org', 'http://speech.example.org:81', 'http://evil.example', 'null'])
    assert.equal((await ask(origin)).status, 403, origin);
  assert.equal((await ask('http://speech.example.org')).status, 200);
});

test('a sign-in behind TLS without FAIRCOPY_PUBLIC_URL says what to set', async (t) => {
  const service = await startService(t);
  const answer = await welcomed(service, service.url);
  assert.equal(answer.status, 403);
  const { error } = await json(answer);
  assert.match(error.message, /browser is at https:\/\/example\.com.*Set FAIRCOPY_PUBLIC_URL/);
});
