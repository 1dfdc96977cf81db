// The composition root of a server: opens every part in order. Parts close in reverse order.
import '../lib/process/no-telemetry.ts';
import type { FastifyInstance } from 'fastify';
import { Lifecycle } from '../lib/process/lifecycle.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Readiness } from '../observability/readiness.ts';
import type { Storage } from '../storage/open.ts';
import type { Config } from './config.ts';
import { openAccounts } from './open-accounts.ts';
import { openCalls } from './open-calls.ts';
import { openConsole } from './open-console.ts';
import { openDatabase } from './open-database.ts';
import { openEndpoints } from './open-endpoints.ts';
import { openHttp } from './open-http.ts';
import { openJobs } from './open-jobs.ts';
import { openObservability } from './open-observability.ts';
import { openSpeech } from './open-speech.ts';
import { openUsage } from './open-usage.ts';
import { openVoicePrints, openVoices } from './open-voices.ts';
import type { Overrides, Setup } from './setup.ts';

export interface App {
  readonly http: FastifyInstance;
  readonly storage: Storage;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Address of /metrics, if it has its own listener and that is listening. */
  readonly metricsUrl: string | undefined;
  /** Ports of vendors with their own listener, such as wyoming, once they are listening. */
  readonly ports: ReadonlyMap<string, number>;
  /** Starts listening; resolves to the address, such as http://127.0.0.1:8080. */
  listen(): Promise<string>;
  /** Downloads and loads the models; until it resolves, transcription is refused with 503. */
  warm(): Promise<void>;
  /** Refuses new requests, lets running ones finish within the grace period, then closes every part. */
  close(): Promise<void>;
}

export const createApp = async (config: Config, overrides: Overrides = {}): Promise<App> => {
  const lifecycle = new Lifecycle();
  try {
    return await build({ config, overrides, lifecycle });
  } catch (cause) {
    await lifecycle.close().catch(() => {});
    throw cause;
  }
};

const build = async (setup: Setup): Promise<App> => {
  const { lifecycle } = setup;
  const base = await openObservability(setup);
  const { log, metrics, readiness } = base;
  const database = await openDatabase(base);
  const accounts = await openAccounts(base, database);
  const usage = await openUsage(base, database);
  const speech = await openSpeech(base);
  const prints = openVoicePrints(base, database);
  const calls = openCalls({ base, database, accounts, usage, speech, prints });
  const web = openHttp(base, database, speech);
  const endpoints = await openEndpoints({ base, database, usage, speech, web, calls });
  openVoices({ base, database, speech, web, calls, prints });
  const jobs = await openJobs({ base, database, accounts, usage, web, calls, speech });
  await openConsole({ base, database, accounts, usage, speech, web, calls, jobs });
  await web.ready();
  lifecycle.onClose('http', () => web.close(() => calls.halt()));
  // Closed first: running jobs are put back before the parts they use close.
  lifecycle.own('jobs', jobs);
  return {
    http: web.http,
    storage: database.storage,
    readiness,
    metrics,
    log,
    ports: endpoints.ports,
    get metricsUrl() {
      return web.metricsUrl;
    },
    listen: async () => {
      const url = await web.listen();
      await endpoints.listen();
      return url;
    },
    warm: async () => {
      await speech.warm();
      readiness.ready();
      jobs.start();
    },
    close: () => {
      readiness.drain();
      return lifecycle.close();
    },
  };
};
