// Streams that are open while their key is revoked, their account closed or its limit lowered.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { accountById, setLimits } from '../../src/accounts/accounts.ts';
import { closeAccount } from '../../src/accounts/close-account.ts';
import { createKey, revokeKey } from '../../src/accounts/keys/keys.ts';
import type { Engine } from '../../src/storage/engine.ts';
import { emptyDatabase, postgresAbsence } from '../../src/storage/testing/engines.ts';
import { runCli } from '../cli/run-cli.ts';
import { connect, eventually, type StreamServer, startStreamServer } from './stream-server.ts';

const SECOND_OF_AUDIO = Buffer.alloc(2 * 16_000);

const codeOf = (message: Record<string, unknown> | undefined) =>
  (message?.error as { code?: string } | undefined)?.code;

/** Opens a stream that has sent a second of audio and has reached transcription. */
const streaming = async (server: StreamServer, key = server.key) => {
  const before = server.transcriber.sessions.length;
  const socket = await connect(server.address({ token: key }));
  socket.send(SECOND_OF_AUDIO);
  await eventually(
    () => server.transcriber.sessions.length,
    (sessions) => sessions > before,
  );
  return socket;
};

test('a revoked key ends its own open streams with one error, not billed', async (t) => {
  const server = await startStreamServer(t);
  const other = await createKey(server.storage, { accountId: server.accountId, name: 'other', createdBy: null });
  const [revoked, spared] = [await streaming(server), await streaming(server, other.key)];
  await revokeKey(server.storage, server.accountId, server.keyId);
  const { messages, code } = await revoked.ending;
  assert.equal(code, 1008);
  assert.equal(messages.length, 1);
  assert.deepEqual([messages[0]?.type, codeOf(messages[0])], ['error', 'UNAUTHORIZED']);
  const [row] = await eventually(server.rows, (rows) => rows.length === 1);
  assert.deepEqual([row?.status, row?.billed_ms], ['UNAUTHORIZED', 0]);
  await eventually(server.takenSlots, (taken) => taken === 1);
  spared.send('{"type":"close_stream"}');
  assert.equal((await spared.ending).code, 1000);
});

test('closing the account ends its streams', async (t) => {
  const server = await startStreamServer(t);
  const socket = await streaming(server);
  await closeAccount(server.storage, server.accountId);
  assert.equal((await socket.ending).code, 1008);
});

test('a lowered limit ends the newest streams over it; a raised one ends none', async (t) => {
  const server = await startStreamServer(t);
  const streams = [await streaming(server), await streaming(server), await streaming(server)];
  await setLimits(server.storage, server.accountId, { maxStreams: 50 });
  await setLimits(server.storage, server.accountId, { maxStreams: 1 });
  for (const socket of streams.slice(1)) {
    const { messages, code } = await socket.ending;
    assert.equal(code, 1008);
    assert.equal(codeOf(messages[0]), 'CONCURRENT_LIMIT_EXCEEDED');
  }
  streams[0]!.send('{"type":"close_stream"}');
  assert.equal((await streams[0]!.ending).code, 1000);
});

for (const engine of ['sqlite', 'postgres'] as const)
  test(`closing an account on the command line ends its running streams and refuses its keys (${engine})`, {
    skip: engine === 'postgres' && postgresAbsence,
  }, async (t) => {
    const database = await emptyDatabase(t, engine);
    const server = await startStreamServer(t, { database, node: 'one' });
    const streams = [await streaming(server), await streaming(server)];
    const { name } = await accountById(server.storage.read, server.accountId);
    const { code, stderr } = await runCli(database, 'accounts', 'close', name);
    assert.equal(code, 0, stderr);
    for (const socket of streams) {
      const { messages, code: closed } = await socket.ending;
      assert.deepEqual([closed, codeOf(messages[0])], [1008, 'UNAUTHORIZED']);
    }
    const rows = await eventually(server.rows, (found) => found.length === 2);
    for (const row of rows) assert.deepEqual([row.status, row.billed_ms], ['UNAUTHORIZED', 0]);
    await eventually(server.takenSlots, (taken) => taken === 0);
  });

const twoNodes = async (t: TestContext, engine: Engine): Promise<[StreamServer, StreamServer]> => {
  const database = await emptyDatabase(t, engine);
  return [await startStreamServer(t, { database, node: 'one' }), await startStreamServer(t, { database, node: 'two' })];
};

for (const engine of ['sqlite', 'postgres'] as const)
  test(`a change on one node ends streams on the other (${engine})`, {
    skip: engine === 'postgres' && postgresAbsence,
  }, async (t) => {
    const [one, two] = await twoNodes(t, engine);
    const [first, second] = [await streaming(two, one.key), await streaming(two)];
    await revokeKey(one.storage, one.accountId, one.keyId);
    assert.equal((await first.ending).code, 1008);
    const third = await streaming(one, two.key);
    await setLimits(one.storage, one.accountId, { maxStreams: 1 });
    // The older one, on the other node, stays.
    assert.equal((await third.ending).code, 1008);
    second.send('{"type":"close_stream"}');
    assert.equal((await second.ending).code, 1000);
  });
