// A server for the stream endpoints with the real ledger, keys and slots, and a scripted transcriber.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { type ClientOptions, WebSocket } from 'ws';
import { setLimits } from '../../src/accounts/accounts.ts';
import { CachedAuthenticator } from '../../src/accounts/authentication/authenticator.ts';
import { DEFAULT_LIMITS } from '../../src/accounts/testing/limits.ts';
import { type Config, parseConfig } from '../../src/app/config.ts';
import { createUploadDecoding } from '../../src/audio/create-upload-decoding.ts';
import { Calls } from '../../src/calls/calls.ts';
import { ModelNames } from '../../src/calls/model-names.ts';
import { type Script, ScriptedTranscriber } from '../../src/calls/testing/scripted-transcriber.ts';
import { DEEPGRAM_MODELS } from '../../src/endpoints/deepgram/model-aliases.ts';
import { addDeepgramStreams } from '../../src/endpoints/deepgram/streams.ts';
import { addNativeStream } from '../../src/endpoints/native/stream/endpoint.ts';
import { OPENAI_MODELS } from '../../src/endpoints/openai/model-aliases.ts';
import { addRealtime } from '../../src/endpoints/openai/realtime/endpoint.ts';
import { IdempotencyKeys } from '../../src/idempotency/idempotency-keys.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { createLog } from '../../src/observability/log.ts';
import { Metrics } from '../../src/observability/metrics.ts';
import { Readiness } from '../../src/observability/readiness.ts';
import { openStorage, type Storage, type StorageOptions } from '../../src/storage/open.ts';
import { createHttp } from '../../src/transport/http/server.ts';
import { OpenSockets } from '../../src/transport/websocket/sockets.ts';
import type { StreamEndpointParts } from '../../src/transport/websocket/stream-endpoint.ts';
import { readBudgetStatus } from '../../src/usage/budgets/stops.ts';
import { LedgerMeter } from '../../src/usage/ledger/ledger-meter.ts';
import { LeaseSlots } from '../../src/usage/stream-slots/lease-slots.ts';
import { ledger } from '../../src/usage/testing/ledger.ts';
import { keyFor } from '../http/service.ts';

export interface StreamServerOptions {
  readonly config?: Partial<Config>;
  readonly script?: Script;
  readonly maxStreams?: number;
  readonly addEndpoints?: (app: FastifyInstance, parts: StreamEndpointParts) => void;
  /** A database shared with other nodes. Default: its own. */
  readonly database?: StorageOptions;
  readonly node?: string;
}

export interface StreamServer {
  readonly app: FastifyInstance;
  readonly httpUrl: string;
  readonly wsUrl: string;
  readonly key: string;
  readonly keyId: string;
  readonly accountId: string;
  readonly storage: Storage;
  readonly sockets: OpenSockets;
  readonly transcriber: ScriptedTranscriber;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly logLines: string[];
  rows(): Promise<Awaited<ReturnType<typeof ledger>>>;
  takenSlots(): Promise<number>;
  /** Address of a stream with these parameters; key and model have defaults, which `undefined` removes. */
  address(parameters?: Record<string, string | undefined>): string;
}

export const startStreamServer = async (t: TestContext, options: StreamServerOptions = {}): Promise<StreamServer> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'faircopy-stream-'));
  const config: Config = { ...parseConfig({}), dataDir, ...options.config };
  const logLines: string[] = [];
  const log = createLog({ logLevel: 'trace' }, { write: (line: string) => logLines.push(line) });
  const storage = await openStorage(options.database ?? { dataDir });
  const slots = await LeaseSlots.open({ storage, node: options.node ?? 'test' });
  const meter = new LedgerMeter(storage);
  const authenticator = new CachedAuthenticator({ storage, defaults: DEFAULT_LIMITS });
  const { key, keyId, accountId } = await keyFor(storage, 'test');
  if (options.maxStreams !== undefined) await setLimits(storage, accountId, { maxStreams: options.maxStreams });
  const decoding = createUploadDecoding();
  const readiness = new Readiness();
  const metrics = new Metrics();
  const transcriber = new ScriptedTranscriber(options.script);

  const idempotency = new IdempotencyKeys({
    storage,
    holderId: 'test',
    settle: (requestId) => meter.settle(requestId),
    clock: systemClock,
    log,
    metrics,
    memoryBytesMax: 1024 * 1024,
    diskBytesMax: 0,
  });
  const app = createHttp({ config, log, metrics });
  app.post('/echo', async (request) => ({ got: request.body }));
  const calls = new Calls({
    config,
    clock: systemClock,
    log,
    metrics,
    readiness,
    authenticator,
    slots,
    meter,
    transcriber,
    decoding,
    idempotency,
    voiceFeatures: async () => {
      throw new Error('there are no voices here');
    },
    readBudgetStatus: (principal) => readBudgetStatus(storage.read, principal, Date.now()),
  });
  const sockets = new OpenSockets(app, { config, clock: systemClock, readiness });
  const names = new ModelNames([...OPENAI_MODELS, ...DEEPGRAM_MODELS], config.models);
  const parts = { config, names, calls, decoding, sockets };
  addNativeStream(app, parts);
  addDeepgramStreams(app, parts);
  addRealtime(app, { ...parts, clock: systemClock });
  options.addEndpoints?.(app, parts);
  await app.listen({ host: '127.0.0.1', port: 0 });
  readiness.ready();
  t.after(async () => {
    readiness.drain();
    await transcriber.close();
    await sockets.close();
    await app.close();
    await decoding.close();
    await authenticator.close();
    await slots.close();
    await idempotency.close();
    await meter.close();
    await storage.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const { port } = app.server.address() as AddressInfo;
  return {
    app,
    httpUrl: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    key,
    keyId,
    accountId,
    storage,
    sockets,
    transcriber,
    readiness,
    metrics,
    logLines,
    rows: () => ledger(storage),
    takenSlots: async () => (await storage.write.selectFrom('stream_leases').selectAll().execute()).length,
    address: (parameters = {}) => {
      const url = new URL(`ws://127.0.0.1:${port}/v1/transcribe/stream`);
      const all: Record<string, string | undefined> = { token: key, model: 'svc-1.0-lite', ...parameters };
      for (const [name, value] of Object.entries(all)) if (value !== undefined) url.searchParams.append(name, value);
      return url.href;
    },
  };
};

export interface StreamEnd {
  readonly messages: Record<string, unknown>[];
  readonly code: number;
  readonly reason: string;
}

/** Collects the messages that a plain client receives until its connection has closed. */
export const ending = (socket: WebSocket): Promise<StreamEnd> => {
  const messages: Record<string, unknown>[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  return new Promise((resolve) =>
    socket.on('close', (code, reason) => resolve({ messages, code, reason: reason.toString() })),
  );
};

/** Connects a plain client. */
export const connect = async (
  address: string,
  options: ClientOptions = {},
  protocols: string[] = [],
): Promise<WebSocket & { ending: Promise<StreamEnd> }> => {
  const socket = new WebSocket(address, protocols, options);
  socket.on('error', () => undefined);
  const end = ending(socket);
  await once(socket, 'open');
  return Object.assign(socket, { ending: end });
};

export interface Rejection {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: { status: string; error: { code: string; message: string }; request_id: string };
}

/** Resolves to the HTTP answer to a handshake that is refused. */
export const rejection = (address: string, protocols?: string[]): Promise<Rejection> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(address, protocols);
    socket.on('error', () => undefined);
    socket.on('open', () => reject(new Error('the handshake was accepted')));
    socket.on('unexpected-response', async (_request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: JSON.parse(Buffer.concat(chunks).toString()),
      });
    });
  });

/** Repeats a check until it holds, for effects that come just after the client has seen the end. */
export const eventually = async <T>(read: () => Promise<T> | T, holds: (value: T) => boolean): Promise<T> => {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > deadline) throw new Error(`did not happen in time: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
};
