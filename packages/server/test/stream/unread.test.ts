// Peers that never read: unsent data is limited on every endpoint that has its own connections.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import test, { type TestContext } from 'node:test';
import { WebSocket } from 'ws';
import type { ConnectionEvent, Failure } from '../../src/transport/websocket/connection-types.ts';
import { addStreamEndpoint } from '../../src/transport/websocket/stream-endpoint.ts';
import type { ClientMessage, ProtocolContext, StreamProtocol } from '../../src/transport/websocket/stream-protocol.ts';
import { eventually, startStreamServer } from './stream-server.ts';

/** More than the kernel buffers for a connection. */
const ANSWERS = 110;
const ANSWER = { filler: 'x'.repeat(256 * 1024) };

/** A protocol that answers every message with a large one. */
class TalkativeProtocol implements StreamProtocol<'answer'> {
  readonly progress = { audioSeconds: 0, isAnswered: false };
  readonly #context: ProtocolContext;
  constructor(context: ProtocolContext) {
    this.#context = context;
  }
  read(_data: Buffer): ClientMessage<'answer'> {
    const event: ConnectionEvent = { type: 'keep_alive' };
    return { kind: 'control', event, command: 'answer' };
  }
  perform(): void {
    this.#context.send(ANSWER);
  }
  write(): void {}
  finish(): void {}
  cancel(): void {}
  transcript(): undefined {}
  result(): object[] {
    return [];
  }
  error(failure: Failure): object[] {
    return [failure];
  }
  closing(code: number, reason: string) {
    return { code, reason };
  }
}

const startTalking = async (t: TestContext, Protocol: typeof TalkativeProtocol) => {
  const server = await startStreamServer(t, {
    addEndpoints: (app, parts) =>
      addStreamEndpoint(
        app,
        {
          path: '/talkative',
          maxPayload: 1024,
          selectProtocol: () => false,
          authenticate: () => parts.calls.authenticate(server.key, { scope: 'stream', address: '127.0.0.1' }),
          read: () => ({ model: 'svc-1.0-lite' as const }),
          modelOf: ({ model }) => model,
          tagsOf: () => [],
          settingsOf: () => ({ isLive: true }),
          headersOf: () => ({}),
          openProtocol: (context) => new Protocol(context),
          hasKey: () => false,
          explain: () => ({}),
        },
        parts,
      ),
  });
  return server;
};

// Without audio, `end` ends the stream at once.
for (const { method, sent, code, statuses } of [
  { method: 'perform', sent: ['more'], code: 1011, statuses: ['INTERNAL_ERROR'] },
  { method: 'finish', sent: ['audio', 'end'], code: 1011, statuses: ['INTERNAL_ERROR'] },
  { method: 'cancel', sent: ['end'], code: 1000, statuses: ['success'] },
  { method: 'transcript', sent: ['end'], code: 1011, statuses: [] },
] as const)
  test(`a protocol whose ${method} throws ends its stream, not the server, and its slot is free`, async (t) => {
    class ThrowingProtocol extends TalkativeProtocol {
      override read(data: Buffer): ClientMessage<'answer'> {
        const said = String(data);
        if (said === 'audio') return { kind: 'audio', audio: data, audioSeconds: 1 };
        return said === 'end' ? { kind: 'control', event: { type: 'close_stream' } } : super.read(data);
      }
    }
    ThrowingProtocol.prototype[method] = () => {
      throw new Error('a fault in the protocol');
    };
    const server = await startTalking(t, ThrowingProtocol);
    const socket = new WebSocket(`${server.wsUrl}/talkative`);
    await once(socket, 'open');
    for (const message of sent) socket.send(message);
    assert.equal((await once(socket, 'close'))[0], code);
    await eventually(server.takenSlots, (taken) => taken === 0);
    const rows = await eventually(server.rows, ({ length }) => length === statuses.length);
    assert.deepEqual(
      rows.map(({ status }) => status),
      statuses,
    );
  });

test('a peer that does not read is dropped when too much unsent data is queued', { timeout: 60_000 }, async (t) => {
  const server = await startTalking(t, TalkativeProtocol);
  const socket = new WebSocket(`${server.wsUrl}/talkative`);
  await once(socket, 'open');
  socket.pause();
  for (let count = 0; count < ANSWERS; count++) socket.send('more');
  const [row] = await eventually(server.rows, (rows) => rows.length === 1);
  assert.equal(row?.status, 'CLIENT_DISCONNECTED');
  assert.equal(await server.takenSlots(), 0);
  let received = 0;
  socket.on('message', () => {
    received += 1;
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.resume();
  const [code] = await closed;
  assert.equal(code, 1006);
  assert.ok(received < ANSWERS, `${received} answers were sent`);
});
