// Opens the HTTP server with health, metrics and documents; the endpoints add their routes to it.
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { sql } from '#kysely';
import { addBrowserClient } from '../endpoints/operations/browser-client.ts';
import { addDocsSite } from '../endpoints/operations/docs-site.ts';
import { addDocuments } from '../endpoints/operations/documents.ts';
import { addHealth } from '../endpoints/operations/health.ts';
import { addMetrics } from '../endpoints/operations/metrics.ts';
import { readyReporter, watchReadiness } from '../endpoints/operations/ready-report.ts';
import { basePathOf } from '../lib/net/base-path.ts';
import { listenHost } from '../lib/net/listen-fault.ts';
import { VERSION } from '../lib/process/version.ts';
import { stripBasePath } from '../transport/http/base-path.ts';
import { LISTEN_BACKLOG } from '../transport/http/connection-limits.ts';
import { closeWhenDraining, createHttp, type TlsFiles } from '../transport/http/server.ts';
import { urlOf } from '../transport/http/url-of.ts';
import { OpenSockets } from '../transport/websocket/sockets.ts';
import type { Database } from './open-database.ts';
import type { Base } from './open-observability.ts';
import type { Speech } from './open-speech.ts';
import { tierReadiness } from './tier-readiness.ts';

export interface Web {
  readonly http: FastifyInstance;
  readonly sockets: OpenSockets;
  /** Address of /metrics, if it has its own listener and that is listening. */
  readonly metricsUrl: string | undefined;
  /** Call this when all routes are added. */
  ready(): Promise<void>;
  listen(): Promise<string>;
  /** Resolves when running requests have ended. `halt` ends them after the grace period. */
  close(halt: () => void): Promise<void>;
}

/** Time for the last answers to be sent after the grace period. */
const LAST_ANSWERS_MS = 1_000;

const tlsOf = ({ tlsCert, tlsKey }: Base['config']): TlsFiles | undefined =>
  tlsCert === undefined || tlsKey === undefined
    ? undefined
    : { cert: readTls('FAIRCOPY_TLS_CERT', tlsCert), key: readTls('FAIRCOPY_TLS_KEY', tlsKey) };

const readTls = (setting: string, path: string): Buffer => {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new Error(`${setting}: ${path} cannot be read`, { cause });
  }
};

export const openHttp = (base: Base, { storage }: Database, speech: Speech): Web => {
  const { config, lifecycle, clock, log, metrics, readiness, tracer } = base;
  const http = createHttp({ config, log, metrics, tracer, tls: tlsOf(config) });
  closeWhenDraining(http, readiness);
  const report = readyReporter({
    readiness,
    checks: { 'the database does not answer': () => sql`select 1`.execute(storage.read) },
    tiers: () => tierReadiness(config.models, speech),
  });
  addHealth(http, report);
  watchReadiness(metrics, report, config.models);
  const metricsHttp = config.metricsAddress === undefined ? undefined : createHttp({ config, log, metrics });
  if (metricsHttp) lifecycle.onClose('metrics listener', () => metricsHttp.close());
  addMetrics(metricsHttp ?? http, { metrics, token: config.metricsToken });
  addDocuments(http, VERSION, config.publicUrl);
  addBrowserClient(http);
  addDocsSite(http, basePathOf(config.publicUrl));
  const sockets = new OpenSockets(http, { config, clock, readiness });
  return {
    http,
    sockets,
    get metricsUrl() {
      return metricsHttp?.server.listening ? urlOf(metricsHttp) : undefined;
    },
    ready: async () => {
      await http.ready();
      stripBasePath(http, basePathOf(config.publicUrl));
    },
    listen: async () => {
      await http.listen({ port: config.port, host: listenHost(config.host), backlog: LISTEN_BACKLOG });
      await metricsHttp?.listen(config.metricsAddress!);
      return urlOf(http);
    },
    close: async (halt) => {
      const timers = [
        setTimeout(halt, config.shutdownGraceMs),
        setTimeout(() => http.server.closeAllConnections(), config.shutdownGraceMs + LAST_ANSWERS_MS),
      ];
      await Promise.all([http.close(), sockets.close()]);
      for (const timer of timers) clearTimeout(timer);
    },
  };
};
