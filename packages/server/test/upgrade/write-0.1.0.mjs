// Writes the fixtures of version 0.1.0. Run with its own compiled code: copy this file into the root of a checkout of
// that version, `npm ci && npx tsc -b`, then: node write-0.1.0.mjs sqlite FOLDER, or: node write-0.1.0.mjs postgres URL
import { setTimeout as delay } from 'node:timers/promises';

const server = (path) => import(`./packages/server/dist/${path}.js`);
const [{ createApp }, { parseConfig }, { silentLog }, { ScriptedEngine }, { joiner }, tones, { wavOf }] =
  await Promise.all(
    [
      ...['src/app', 'src/platform/config', 'src/platform/log', 'src/speech/testing/scripted-engine'],
      ...['src/transcription/testing/joiner', 'src/speech/testing/tones', 'test/http/forms'],
    ].map(server),
  );
const [{ ensureAccount, setLimits }, { createKey, revokeKey }, { setVocabulary }, links, { Faircopy }] =
  await Promise.all([
    ...['src/accounts/accounts', 'src/accounts/keys', 'src/accounts/vocabulary'].map(server),
    server('src/accounts/people/welcome-links'),
    import('@faircopy/client'),
  ]);

const [engineName, place] = process.argv.slice(2);
const env = engineName === 'sqlite' ? { FAIRCOPY_DATA_DIR: place } : { DATABASE_URL: place };
const app = await createApp(parseConfig({ PORT: '0', FAIRCOPY_SHUTDOWN_GRACE_MS: '500', ...env }), {
  log: silentLog(),
  engine: new ScriptedEngine({ slots: 2 }),
  refiner: joiner,
});
const url = await app.listen();
await app.warm();
const { storage } = app;

const { account } = await ensureAccount(storage, 'default');
const { account: press } = await ensureAccount(storage, 'Presse & Söhne');
await setLimits(storage, press.id, { maxStreams: 7, maxDurationSeconds: 600 });
await setVocabulary(storage, press.id, ['Zürich', 'Faircopy', 'O’Neill']);
const { key } = await createKey(storage, { accountId: account.id, name: 'first key', createdBy: 'first start' });
const { listing } = await createKey(storage, { accountId: press.id, name: 'old laptop', createdBy: 'ada@example.com' });
await revokeKey(storage, press.id, listing.id);

const token = await links.createFirstAdministratorLink(storage, account.id);
const person = { name: 'Ada', email: 'ada@example.com', password: 'a long enough one' };
const answer = await fetch(`${url}/console/api/welcome/${token}`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', origin: url },
  body: JSON.stringify(person),
});
if (!answer.ok) throw new Error(await answer.text());
await links.createInvitation(storage, { accountId: press.id, role: 'member', email: 'bo@example.com' });

const faircopy = new Faircopy({ baseUrl: url, apiKey: key });
for (const words of [3, 5, 8]) await faircopy.transcribe(wavOf(tones.spoken(tones.story(words))), { language: 'en' });
const refused = await faircopy.transcribe(Buffer.from('no audio at all')).catch((error) => error);
if (!refused.code) throw new Error('the invalid file was accepted');
const stream = faircopy.stream({ model: 'svc-1.0-lite' });
await stream.sendAll([wavOf(tones.spoken(tones.story(4))).subarray(44)]);
await stream.finish();
// A lease that a dead server left behind.
await storage.write
  .insertInto('stream_leases')
  .values({ id: 'left-behind', account_id: account.id, holder_id: 'gone', node: 'old', expires_at_ms: 1 })
  .execute();
// The last use of a key is written a moment later.
await delay(2_000);
await app.close();
process.exit(0);
