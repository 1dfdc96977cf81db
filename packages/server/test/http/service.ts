// The whole service for a test: real storage, audio and transcription, a scripted speech engine, and a free port.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ErrorResponse,
  errorResponse,
  MODEL_IDS,
  type SuccessResponse,
  successResponse,
} from '@faircopy/contract';
import { ensureAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { type App, createApp } from '../../src/app/app.ts';
import { type Config, parseConfig } from '../../src/app/config.ts';
import type { Overrides } from '../../src/app/setup.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { silentLog } from '../../src/observability/log.ts';
import type { SpeechEngine } from '../../src/speech/recogniser.ts';
import { RecogniserSet } from '../../src/speech/recogniser-set.ts';
import { RemoteTier } from '../../src/speech/remote-tier/remote-tier.ts';
import { remoteTiersSetting } from '../../src/speech/remote-tier/settings.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import type { Storage } from '../../src/storage/open.ts';
import { passthroughRefiner } from '../../src/transcription/testing/passthrough-refiner.ts';
import { FORM_TYPE } from './forms.ts';

export interface Row {
  readonly request_id: string;
  readonly status: string;
  readonly model: string | null;
  readonly billedSeconds: number;
  readonly audioSeconds: number;
}

export interface Service {
  readonly app: App;
  readonly engine: ScriptedEngine;
  readonly url: string;
  readonly port: number;
  readonly key: string;
  readonly accountId: string;
  /** Rows of the ledger, in the order they were created. */
  rows(): Promise<Row[]>;
  /** Stream slots that are taken, of all accounts. */
  takenSlots(): Promise<number>;
  /** Posts a form with a Content-Length; a stream is sent in chunks instead. */
  post(body: NonNullable<RequestInit['body']>, headers?: Record<string, string>): Promise<Response>;
}

export interface ServiceOptions {
  readonly config?: Partial<Config>;
  readonly engine?: ScriptedEngine;
  readonly overrides?: Partial<Overrides>;
  readonly warm?: boolean;
}

/** Runs a callback after the test, or after the file's tests. */
export interface Ending {
  after(close: () => Promise<void>): unknown;
}

export const startService = async (t: Ending, options: ServiceOptions = {}): Promise<Service> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'faircopy-http-'));
  const engine = options.engine ?? new ScriptedEngine({ slots: 2 });
  const config = {
    ...parseConfig({ PORT: '0', FAIRCOPY_DATA_DIR: dataDir, FAIRCOPY_SHUTDOWN_GRACE_MS: '500' }),
    ...options.config,
  };
  const app = await createApp(config, {
    log: silentLog(),
    engine: process.env.FAIRCOPY_TEST_TIERS === 'remote' ? await behindServer(t, engine) : engine,
    refiner: passthroughRefiner,
    ...options.overrides,
  });
  t.after(async () => {
    engine.release();
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const url = await app.listen();
  if (options.warm !== false) await app.warm();
  const { key, accountId } = await keyFor(app.storage, 'test');
  return {
    app,
    engine,
    url,
    port: Number(new URL(url).port),
    key,
    accountId,
    rows: async () => {
      const rows = await app.storage.write.selectFrom('usage_records').selectAll().orderBy('request_id').execute();
      return rows.map((row) => ({
        request_id: row.request_id,
        status: row.status,
        model: row.model,
        billedSeconds: row.billed_ms / 1000,
        audioSeconds: row.audio_us / 1e6,
      }));
    },
    takenSlots: async () => (await app.storage.write.selectFrom('stream_leases').selectAll().execute()).length,
    post: (body, headers = {}) =>
      fetch(`${url}/v1/transcribe`, {
        method: 'POST',
        headers: { authorization: `Token ${key}`, 'content-type': FORM_TYPE, ...headers },
        body,
        ...(body instanceof ReadableStream && { duplex: 'half' }),
      }),
  };
};

/** A new key of the account with this name, which is created if it does not exist. */
export const keyFor = async (storage: Storage, name: string) => {
  const { account } = await ensureAccount(storage, name);
  const { key, listing } = await createKey(storage, { accountId: account.id, name, createdBy: null });
  return { key, keyId: listing.id, accountId: account.id };
};

/** The address of a native stream. */
export const streamAddress = ({ url, key }: Pick<Service, 'url' | 'key'>, model = 'svc-1.0-lite'): string =>
  `${url.replace('http', 'ws')}/v1/transcribe/stream?token=${key}&model=${model}`;

/** Puts the engine behind a second service, which serves every tier as a remote tier through OpenAI's API. */
const behindServer = async (t: Ending, engine: ScriptedEngine): Promise<SpeechEngine> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'faircopy-behind-'));
  const app = await createApp(parseConfig({ PORT: '0', FAIRCOPY_DATA_DIR: dataDir, FAIRCOPY_MAX_WAIT_MS: '60000' }), {
    log: silentLog(),
    engine,
    refiner: passthroughRefiner,
  });
  t.after(async () => {
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const url = await app.listen();
  await app.warm();
  const { key } = await keyFor(app.storage, 'behind');
  const remote = MODEL_IDS.map((tier) => {
    const given = { url: `${url}/v1`, key, model: tier, wordTimes: true, slots: engine.recogniser.slots };
    const settings = remoteTiersSetting.parse(JSON.stringify({ [tier]: given }))[tier]!;
    const observer = { answered: () => {}, circuit: () => {} };
    return new RemoteTier({ tier, settings, clock: systemClock, observer });
  });
  const recogniser = new RecogniserSet({ remote });
  return {
    recogniser,
    speakers: engine.speakers,
    openVoiceProbe: () => engine.openVoiceProbe(),
    turns: engine.turns,
    ready: () => engine.ready(),
    close: () => recogniser.close(),
  };
};

/** One service for all tests of a file. Call it at the top. */
export const sharedService = (options: ServiceOptions = {}): (() => Service) => {
  let service: Service | undefined;
  const closers: (() => Promise<void>)[] = [];
  before(async () => {
    service = await startService({ after: (close) => closers.push(close) }, options);
  });
  after(async () => {
    for (const close of closers) await close();
  });
  return () => service!;
};

const ROWS_POLL_MS = 20;

/** Polls the ledger until it has this many rows. */
export const rowsOnceThere = async (service: Service, count: number) => {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
    const rows = await service.rows();
    if (rows.length >= count) return rows;
    await delay(ROWS_POLL_MS);
  }
  return service.rows();
};

/** The answer, checked against the contract's schema. */
export const success = async (response: Response): Promise<SuccessResponse> =>
  successResponse.strict().parse(await response.json());
export const failure = async (response: Response): Promise<ErrorResponse> =>
  errorResponse.strict().parse(await response.json());
