// Changes the clock of a running server with faketime: `npm run test:clock`. Needs the Debian package faketime.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test, { type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { createAccount, setLimits } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { createFirstAdministratorInvitation } from '../../src/accounts/people/invitations.ts';
import { spoken } from '../../src/speech/testing/tones.ts';
import { openStorage } from '../../src/storage/open.ts';
import { emptyDatabase, postgresAbsence } from '../../src/storage/testing/engines.ts';
import { assertSumsAgree, ledger } from '../../src/usage/testing/ledger.ts';
import { FORM_TYPE, file, form, MODEL, wavOf } from '../http/forms.ts';

const SERVER = fileURLToPath(new URL('../kills/server-process.js', import.meta.url));
const SECONDS_PER_DAY = 24 * 60 * 60;
const SOUND = wavOf(spoken(['apple', 'bridge']));
const UPLOAD = form(MODEL, file(SOUND));
/** Offsets from the real time in seconds. */
const CLOCKS = [0, SECONDS_PER_DAY, 0, -SECONDS_PER_DAY, 0, 1, 0, -1, 2 * SECONDS_PER_DAY, -2 * SECONDS_PER_DAY];

const libraryOf = (): string | undefined =>
  readdirSync('/usr/lib')
    .map((name) => join('/usr/lib', name, 'faketime', 'libfaketimeMT.so.1'))
    .find(existsSync);

const startServer = async (t: TestContext, env: Record<string, string>): Promise<string> => {
  const child: ChildProcess = spawn(process.execPath, [SERVER], {
    env: { ...process.env, PORT: '0', FAIRCOPY_NODE_NAME: 'clock', ...env },
    // The server ends when its standard input closes.
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const { value } = await createInterface(child.stdout!)[Symbol.asyncIterator]().next();
  assert.ok(value, 'the server started');
  return String(value);
};

const post = (address: string, key: string) =>
  fetch(`${address}/v1/transcribe`, {
    method: 'POST',
    headers: { authorization: `Token ${key}`, 'content-type': FORM_TYPE },
    body: UPLOAD,
  });

/** Opens a stream and sends its audio; null if it is refused. */
const openStream = (address: string, key: string): Promise<WebSocket | null> =>
  new Promise((resolve) => {
    const url = `${address.replace('http', 'ws')}/v1/transcribe/stream?token=${key}&model=svc-1.0-lite`;
    const socket = new WebSocket(url);
    socket.on('open', () => {
      socket.send(SOUND.subarray(44));
      resolve(socket);
    });
    socket.on('error', () => resolve(null));
  });

const finish = async (socket: WebSocket): Promise<number> => {
  const closed = once(socket, 'close');
  socket.send('{"type":"close_stream"}');
  return (await closed)[0] as number;
};

/** Signs in the first administrator; returns a function that fetches the status of the session. */
const signIn = async (address: string, token: string) => {
  const welcome = await fetch(`${address}/console/api/welcome/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', origin: address },
    body: JSON.stringify({ name: 'Ada', email: 'ada@example.org', password: 'a long enough one' }),
  });
  assert.equal(welcome.status, 200);
  const cookie = welcome.headers.getSetCookie().map((text) => text.split(';')[0]);
  return async () => (await fetch(`${address}/console/api/me`, { headers: { cookie: cookie.join('; ') } })).status;
};

const library = libraryOf();

for (const engine of ['sqlite', 'postgres'] as const)
  test(`the clock is set ${CLOCKS.length - 1} times under files, streams and a session (${engine})`, {
    skip: library === undefined ? 'no faketime (apt-get install faketime)' : engine === 'postgres' && postgresAbsence,
  }, async (t) => {
    const database = await emptyDatabase(t, engine);
    const place = await emptyDatabase(t, 'sqlite');
    const clockFile = join(place.dataDir, 'clock');
    const setClock = (seconds: number) => writeFileSync(clockFile, `${seconds < 0 ? '' : '+'}${seconds}`);
    setClock(0);
    const storage = await openStorage(database);
    t.after(() => storage.close());
    const account = await createAccount(storage, 'acme');
    await setLimits(storage, account.id, { maxStreams: 2 });
    const keyOptions = { accountId: account.id, name: 'k', createdBy: null };
    const lasting = (await createKey(storage, keyOptions)).key;
    const ending = (await createKey(storage, { ...keyOptions, expiresAtMs: Date.now() + 12 * 60 * 60 * 1000 })).key;
    const token = (await createFirstAdministratorInvitation(storage, account.id, 'a')) ?? '';
    const address = await startServer(t, {
      LD_PRELOAD: library!,
      FAKETIME_TIMESTAMP_FILE: clockFile,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAIRCOPY_DATA_DIR: database.dataDir,
      DATABASE_URL: database.databaseUrl ?? '',
    });
    const sessionStatus = await signIn(address, token);
    const answered: string[] = [];
    for (const seconds of CLOCKS) {
      const held = await openStream(address, lasting);
      assert.ok(held, `a stream before the clock shows ${seconds} s`);
      setClock(seconds);
      const answer = await post(address, lasting);
      assert.equal(answer.status, 200, `a file at ${seconds} s`);
      const requestId = ((await answer.json()) as { request_id: string }).request_id;
      answered.push(requestId);
      assert.equal((await post(address, ending)).status, seconds >= SECONDS_PER_DAY ? 401 : 200, `${seconds} s`);
      const second = await openStream(address, lasting);
      assert.ok(second, `a second stream at ${seconds} s`);
      assert.equal(await openStream(address, lasting), null, `a third stream at ${seconds} s`);
      assert.deepEqual([await finish(held), await finish(second)], [1000, 1000]);
      assert.equal(await sessionStatus(), 200, `the session at ${seconds} s`);
      const row = (await ledger(storage)).find((one) => one.request_id === requestId);
      assert.ok(row, 'the row of the file');
      const offSeconds = (row.created_at_ms - Date.now()) / 1000 - seconds;
      assert.ok(Math.abs(offSeconds) < 60, `the server's clock is off by ${offSeconds} s`);
    }
    await assertSumsAgree(storage);
    const rows = await ledger(storage);
    assert.equal(new Set(answered).size, CLOCKS.length);
    assert.equal(
      rows.filter(({ mode, status }) => mode === 'stream' && status === 'success').length,
      2 * CLOCKS.length,
    );
    t.diagnostic(
      `${rows.length} rows over ${new Set(rows.map((row) => Math.floor(row.created_at_ms / 864e5))).size} days`,
    );
  });
