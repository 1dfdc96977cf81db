// Fuzz targets of a stream: the query of its handshake, its WebSocket frames and control messages, and the state machine.
import { parse } from 'node:querystring';
import { LIMITS } from '@faircopy/contract';
import * as webSockets from 'ws';
import { readStreamRequest, streamKeyOf } from '../../../src/endpoints/native/stream/handshake.ts';
import { readClientMessage } from '../../../src/endpoints/native/stream/messages.ts';
import { nextTickAtMs, openConnection, step } from '../../../src/transport/websocket/connection-state.ts';
import type {
  ConnectionEvent,
  ConnectionSettings,
  ConnectionState,
  TimedEvent,
} from '../../../src/transport/websocket/connection-types.ts';
import { checkUpgradeHeaders, type Query } from '../../../src/transport/websocket/handshake.ts';
import { type FuzzTarget, refusedOnly } from '../target.ts';

export const handshakeTarget = async (): Promise<FuzzTarget> => ({
  seeds: [
    'token=fc_abc&model=svc-1.0-lite\nfaircopy, faircopy.key.fc_abc',
    'model=svc-1.0-max&sample_rate=48000&channels=2&language=zh-Hant&include=words,raw\n',
    'model=svc-1.0-pro&encoding=linear16&include=segments,edits&token=a&token=b\nfaircopy',
  ].map((text) => Buffer.from(text)),
  dictionary: [
    'token=',
    '&model=svc-1.0-pro',
    '&sample_rate=',
    '16000',
    '&channels=2',
    '&include=',
    'words',
    ',',
    '%00',
  ],
  within: '/src/transport/websocket/',
  bytesMax: 4_096,
  run: (input) => {
    const [address = '', protocols = ''] = Buffer.from(input).toString('latin1').split('\n');
    const query = parse(address) as Query;
    const headers = { 'sec-websocket-protocol': protocols, 'sec-websocket-key': protocols, authorization: protocols };
    refusedOnly(() => checkUpgradeHeaders({ ...headers, 'sec-websocket-version': '13' }));
    refusedOnly(() => void streamKeyOf(query, headers));
    refusedOnly(() => {
      const { audio } = readStreamRequest(query);
      if (!(audio.sampleRateHz >= 1_000 && audio.sampleRateHz <= 1_000_000)) throw new Error('an impossible rate');
    });
  },
});

export const controlMessageTarget = async (): Promise<FuzzTarget> => ({
  seeds: ['{"type":"keep_alive"}', '{"type":"close_stream"}', '[{"type":{"a":1e400}}]'].map((text) =>
    Buffer.from(text),
  ),
  dictionary: ['{"type":', '"keep_alive"', '"close_stream"', '}', '[', '\\u0000', '"__proto__":', 'null', '1e999'],
  within: '/src/transport/websocket/',
  bytesMax: LIMITS.streamTextBytesMax + 100,
  run: (input) => {
    const message = readClientMessage(Buffer.from(input));
    const known =
      'type' in message ? ['keep_alive', 'close_stream'].includes(message.type) : message.code !== undefined;
    if (!known) throw new Error('neither a message nor a failure');
  },
});

/** The library's frame reader, which its types omit. */
interface FrameReceiver extends NodeJS.EventEmitter {
  write(bytes: Buffer, written: () => void): void;
}
const { Receiver } = webSockets as unknown as {
  Receiver: new (options: { isServer: boolean; maxPayload: number; allowSynchronousEvents: boolean }) => FrameReceiver;
};

const SETTINGS: ConnectionSettings = {
  firstFrameTimeoutMs: 10_000,
  idleTimeoutMs: 10_000,
  finalizeTimeoutMs: 60_000,
  drainTimeoutMs: 5_000,
  maxStreamSeconds: 600,
  pingIntervalMs: 20_000,
};

const BYTES_PER_SECOND = 32_000;

/** Events other than frames; a byte of the input chooses one. */
const OTHER_EVENTS: readonly ConnectionEvent[] = [
  { type: 'tick' },
  { type: 'queue_full' },
  { type: 'queue_ready' },
  { type: 'drain' },
  { type: 'heartbeat' },
  { type: 'disconnected' },
  { type: 'recorded' },
];

/** Checks that a connection's slot is released once and that nothing follows its end. */
class CheckedConnection {
  #state: ConnectionState = openConnection(SETTINGS, 0);
  #nowMs = 0;
  #acceptedBytes = 0;
  #released = 0;
  #records = 0;

  receive(audio: Buffer): void {
    const audioSeconds = (this.#acceptedBytes + audio.length) / BYTES_PER_SECOND;
    this.happen({ type: 'audio', audio, audioSeconds }, audio.length);
  }

  happen(event: ConnectionEvent, afterMs: number): void {
    this.#nowMs += afterMs;
    const wasClosed = this.#state.name === 'closed';
    const progress = { audioSeconds: this.#acceptedBytes / BYTES_PER_SECOND, isAnswered: false };
    const timed: TimedEvent = { atMs: this.#nowMs, ...progress, ...event };
    const { state, effects } = step(this.#state, timed, SETTINGS);
    this.#state = state;
    for (const effect of effects) if (effect.type === 'transcribe_audio') this.#acceptedBytes += effect.audio.length;
    this.#released += effects.filter(({ type }) => type === 'release_slot').length;
    this.#records += effects.filter(({ type }) => type === 'record').length;
    if (this.#released > 1) throw new Error('a slot was released twice');
    if (this.#records > 2) throw new Error('a stream was recorded more often than a success and its failure');
    if (wasClosed && effects.length > 0) throw new Error('effects after the end');
    const tick = nextTickAtMs(state);
    if (tick !== null && Number.isNaN(tick)) throw new Error('a deadline that is not a number');
  }

  end(): void {
    this.happen({ type: 'disconnected' }, 0);
    if (this.#state.name === 'recording') this.happen({ type: 'recorded' }, 0);
    if (this.#state.name !== 'closed') throw new Error(`disconnected while ${this.#state.name}, and not closed`);
    if (this.#released !== 1) throw new Error('a slot was not released');
  }
}

/** A masked frame, as clients send them. */
const clientFrame = (opcode: number, payload: Buffer): Buffer => {
  const mask = Buffer.from([1, 2, 3, 4]);
  const head =
    payload.length < 126
      ? Buffer.from([0x80 | opcode, 0x80 | payload.length])
      : Buffer.from([0x80 | opcode, 0x80 | 126, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([head, mask, Buffer.from(payload.map((byte, at) => byte ^ mask[at % 4]!))]);
};

export const frameTarget = async (): Promise<FuzzTarget> => ({
  seeds: [
    Buffer.concat([clientFrame(2, Buffer.alloc(320, 7)), clientFrame(1, Buffer.from('{"type":"close_stream"}'))]),
    Buffer.concat([clientFrame(9, Buffer.from('ping')), clientFrame(1, Buffer.from('{"type":"keep_alive"}'))]),
    Buffer.concat([clientFrame(2, Buffer.alloc(201, 1)), clientFrame(8, Buffer.from([3, 232]))]),
  ],
  dictionary: ['{"type":"close_stream"}', '{"type":"keep_alive"}', '\x81\x97', '\x82\xfe', '\x88\x82', '\x89\x80'],
  within: '/src/transport/websocket/',
  bytesMax: 4_096,
  run: (input, random) => {
    const connection = new CheckedConnection();
    const receiver = new Receiver({
      isServer: true,
      maxPayload: LIMITS.streamFrameBytesMax,
      // The server spreads messages over turns of the event loop; here they arrive in one turn.
      allowSynchronousEvents: true,
    });
    const failed = { type: 'failed', failure: { code: 'INVALID_REQUEST', message: '' } } as const;
    receiver.on('error', () => connection.happen(failed, 0));
    receiver.on('ping', () => connection.happen({ type: 'heartbeat' }, 1));
    receiver.on('pong', () => connection.happen({ type: 'heartbeat' }, 1));
    receiver.on('conclude', () => connection.happen({ type: 'disconnected' }, 1));
    receiver.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) connection.receive(data);
      else {
        const message = readClientMessage(data);
        connection.happen('type' in message ? message : { ...failed, failure: message }, 3);
      }
      const other = OTHER_EVENTS[data[0] ?? 0];
      if (other) connection.happen(other, (data[1] ?? 0) * 100);
    });
    const bytes = Buffer.from(input);
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.subarray(at, at + 1 + Math.floor(random() * 200));
      receiver.write(piece, () => {});
      at += piece.length;
    }
    connection.end();
    receiver.removeAllListeners();
    receiver.on('error', () => {});
  },
});
