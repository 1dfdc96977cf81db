// The composition root: builds every part of the service and says in which order they close. No logic lives here.
import '../lib/process/no-telemetry.ts';
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { CachedAuthenticator } from '../accounts/authentication/authenticator.ts';
import { openSmtpMailer } from '../accounts/people/mailer.ts';
import { defaultLimitsOf } from '../accounts/settings.ts';
import { PasswordHasher } from '../accounts/sign-in/password-hasher.ts';
import { serverSecret } from '../accounts/sign-in/server-secret.ts';
import { openSignIn } from '../accounts/sign-in/sign-in.ts';
import { deleteVocabularyUses, VocabularyUses } from '../accounts/vocabulary/vocabulary-uses.ts';
import { createUploadDecoding } from '../audio/create-upload-decoding.ts';
import type { UploadDecoding } from '../audio/upload-decoding.ts';
import { Calls } from '../calls/calls.ts';
import type { Workers } from '../cluster/gateway/open-workers.ts';
import { registerConsole } from '../endpoints/console/register.ts';
import { addDeepgram } from '../endpoints/deepgram/register.ts';
import { addNative } from '../endpoints/native/register.ts';
import { ClientSecrets } from '../endpoints/openai/realtime/client-secrets.ts';
import { addOpenAi } from '../endpoints/openai/register.ts';
import { addDocuments } from '../endpoints/operations/documents.ts';
import { addHealth } from '../endpoints/operations/health.ts';
import { addMetrics } from '../endpoints/operations/metrics.ts';
import { WyomingServer } from '../endpoints/wyoming/server.ts';
import { IdempotencyKeys } from '../idempotency/idempotency-keys.ts';
import type { ReceiverRules } from '../jobs/webhooks/webhook-request.ts';
import { basePathOf } from '../lib/net/base-path.ts';
import { listenHost } from '../lib/net/listen-fault.ts';
import { Lifecycle } from '../lib/process/lifecycle.ts';
import { VERSION } from '../lib/process/version.ts';
import { type Clock, systemClock } from '../lib/time/clock.ts';
import { createLog, type Log } from '../observability/log.ts';
import { Metrics } from '../observability/metrics.ts';
import { openTracer } from '../observability/open-tracer.ts';
import { Readiness } from '../observability/readiness.ts';
import { refinerOptions } from '../refine/create-refiner.ts';
import type { Refiner } from '../refine/refiner.ts';
import { LocalSpeechEngine } from '../speech/engine.ts';
import type { Recogniser, SpeechEngine } from '../speech/recogniser.ts';
import { watchRemoteTiers } from '../speech/remote-tier/metrics.ts';
import { openModelStore } from '../speech/store/open.ts';
import type { StoreEvent } from '../speech/store/store.ts';
import { applyStagedRestore } from '../storage/backup/restore.ts';
import { lockDataFolder } from '../storage/files/data-folder-lock.ts';
import { openStorage, type Storage } from '../storage/open.ts';
import { ProcessLease } from '../storage/process-lease.ts';
import { RecentLanguages } from '../transcription/language/recent-languages.ts';
import { watchTranscription } from '../transcription/metrics.ts';
import { PendingTranscriber } from '../transcription/pending-transcriber.ts';
import { TranscriptionService } from '../transcription/service.ts';
import { InlineRefinementStage, type RefinementStage } from '../transcription/text/refinement-stage.ts';
import { RefinementThreads, serviceRefiner } from '../transcription/text/refinement-threads.ts';
import { stripBasePath } from '../transport/http/base-path.ts';
import { LISTEN_BACKLOG } from '../transport/http/connection-limits.ts';
import { closeWhenDraining, createHttp } from '../transport/http/server.ts';
import { urlOf } from '../transport/http/url-of.ts';
import { OpenSockets } from '../transport/websocket/sockets.ts';
import { budgetNotifier } from '../usage/budgets/notify.ts';
import { readBudgetStatus } from '../usage/budgets/stops.ts';
import { UnchainedRowLinker } from '../usage/chain/unchained-rows.ts';
import { LedgerMeter } from '../usage/ledger/ledger-meter.ts';
import { ReceiptSigner } from '../usage/receipts/signing-keys.ts';
import { LeaseSlots } from '../usage/stream-slots/lease-slots.ts';
import type { Config } from './config.ts';
import { nodeNameOf } from './node-name.ts';
import { openBudgetWebhook } from './open-budget-webhook.ts';
import { openJobs } from './open-jobs.ts';
import { openStatusReader } from './server-status.ts';

/** What may stand in the place of the real thing: in tests, and where the caller shows progress. */
export interface Overrides {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly decoding?: UploadDecoding;
  /** Made with the workers where there are any. */
  readonly engine?: SpeechEngine | ((workers: Recogniser | undefined) => SpeechEngine);
  readonly refiner?: Refiner;
  /** Which webhooks are taken. */
  readonly receivers?: ReceiverRules;
  /** Told what the model store does at start. */
  readonly onStore?: (event: StoreEvent) => void;
}

export interface App {
  readonly http: FastifyInstance;
  readonly storage: Storage;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Where /metrics is served, once the server listens, when it has a listener of its own. */
  readonly metricsUrl: string | undefined;
  /** Of the Wyoming listener, once it listens. */
  readonly wyomingPort: number | undefined;
  /** Starts listening; resolves to the address, such as http://127.0.0.1:8080. */
  listen(): Promise<string>;
  /** Pulls and loads the models; until it resolves, transcription is refused with 503. */
  warm(): Promise<void>;
  /** Takes nothing new, lets what runs finish within the grace period, then closes every part. */
  close(): Promise<void>;
}

/** After the grace period: time for the last answers to leave. */
const LAST_WORDS_MS = 1_000;
/** Compiled code stands one folder deeper than its source. */
const SITE_FOLDER = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/console' : '../../console', import.meta.url),
);

export const createApp = async (config: Config, overrides: Overrides = {}): Promise<App> => {
  const lifecycle = new Lifecycle();
  try {
    return await build(config, overrides, lifecycle);
  } catch (cause) {
    await lifecycle.close().catch(() => {});
    throw cause;
  }
};

const build = async (config: Config, overrides: Overrides, lifecycle: Lifecycle): Promise<App> => {
  const clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? createLog(config);
  const metrics = new Metrics();
  const readiness = new Readiness();
  const tracer = lifecycle.own('tracing', await openTracer(config, (text) => log.warn(text)));
  setMaxListeners(0, readiness.draining);

  if (config.databaseUrl === undefined) {
    lifecycle.own('data folder', await lockDataFolder(config.dataDir));
    const restored = await applyStagedRestore(config.dataDir);
    if (restored) log.warn(restored, 'the database was replaced by the copy that "faircopy restore" had put ready');
  }
  const storage = lifecycle.own('storage', await openStorage({ ...config, onNotice: (text) => log.warn(text) }));
  const limits = defaultLimitsOf(config);
  const authenticator = lifecycle.own('authenticator', new CachedAuthenticator({ storage, defaults: limits, clock }));
  const signer = new ReceiptSigner(storage);
  const budgetWebhook = openBudgetWebhook(config, { signer, log, rules: overrides.receivers });
  if (budgetWebhook) lifecycle.own('budget webhook', budgetWebhook);
  const onBudget = budgetNotifier({ log, metrics, webhook: (event) => budgetWebhook?.send(event) });
  const meter = lifecycle.own('meter', new LedgerMeter(storage, { onBudget }));
  const onUnlinked = (err: unknown) => log.warn({ err }, 'usage rows of an older release were not linked yet');
  lifecycle.own('unchained rows', new UnchainedRowLinker(storage, onUnlinked));
  const vocabularyUses = config.vocabularyCounts
    ? lifecycle.own('vocabulary uses', new VocabularyUses(storage))
    : undefined;
  if (!vocabularyUses) await deleteVocabularyUses(storage);
  const slots = lifecycle.own('stream slots', await LeaseSlots.open({ storage, node: nodeNameOf(config) }));
  const processLease = lifecycle.own('process lease', await ProcessLease.open({ storage, node: nodeNameOf(config) }));
  const idempotency = lifecycle.own(
    'idempotency keys',
    new IdempotencyKeys({
      ...{ storage, holderId: processLease.id, clock, log, metrics },
      memoryBytesMax: config.idempotencyMemoryBytes,
      diskBytesMax: config.idempotencyStore === 'memory' ? 0 : config.idempotencyDatabaseBytes,
    }),
  );
  const decoding = lifecycle.own('decoding', overrides.decoding ?? createUploadDecoding());
  const workers = await connectWorkers(config, { log, metrics, name: config.nodeName ?? hostname() });
  if (workers) lifecycle.own('workers', workers);
  const engine = lifecycle.own(
    'speech engine',
    (typeof overrides.engine === 'function' ? overrides.engine(workers?.pool) : overrides.engine) ??
      new LocalSpeechEngine({
        config,
        store: openModelStore(config, overrides.onStore),
        ...(workers && { workers: workers.pool }),
        remoteObserver: watchRemoteTiers(metrics, log),
        onEvent: (event) => log.warn(event, 'speech engine'),
      }),
  );
  const transcriber = lifecycle.own('transcriber', new PendingTranscriber());
  const transcription = watchTranscription(metrics, tracer);

  const http = createHttp({ config, log, metrics });
  closeWhenDraining(http, readiness);
  const calls = new Calls({
    ...{ config, clock, log, metrics, readiness, tracer },
    ...{ authenticator, meter, slots, decoding, transcriber, idempotency },
    ...(vocabularyUses && { vocabularyUses }),
    queueWaits: transcription.queueWaits,
    readBudgetStatus: (principal) => readBudgetStatus(storage.read, principal, clock.now()),
  });
  addHealth(http, { readiness, checks: { 'the database does not answer': () => sql`select 1`.execute(storage.read) } });
  const metricsHttp = config.metricsAddress === undefined ? undefined : createHttp({ config, log, metrics });
  addMetrics(metricsHttp ?? http, { metrics, token: config.metricsToken });
  if (metricsHttp) lifecycle.onClose('metrics listener', () => metricsHttp.close());
  addDocuments(http, VERSION, config.publicUrl);
  const sockets = new OpenSockets(http, { config, clock, readiness });
  const clientSecrets = new ClientSecrets(await serverSecret(storage));
  addNative(http, { config, calls, storage, signer, decoding, sockets });
  addOpenAi(http, { config, calls, clock, clientSecrets, decoding, sockets });
  addDeepgram(http, { config, calls, decoding, sockets });
  const jobs = openJobs(http, {
    ...{ config, storage, calls, meter, readiness, metrics, clock, log, limits, signer },
    holderId: processLease.id,
    signer,
    receivers: overrides.receivers,
  });
  const wyoming = config.wyomingAddress === undefined ? undefined : new WyomingServer({ config, calls, decoding });
  if (wyoming) lifecycle.onClose('wyoming', () => wyoming.close());
  const status = lifecycle.own('status', openStatusReader({ config, storage, readiness, transcription, engine }));
  const passwords = lifecycle.own('password hashing', new PasswordHasher());
  const mailer =
    config.smtpUrl === undefined ? undefined : lifecycle.own('mail', openSmtpMailer(config.smtpUrl, config.smtpFrom));
  await registerConsole(http, {
    storage,
    signer,
    signIn: await openSignIn(storage, { publicUrl: config.publicUrl, oidc: oidcOf(config), passwords }),
    version: VERSION,
    models: config.models,
    defaultLimits: limits,
    oidcName: config.oidcIssuer === undefined ? null : config.oidcName,
    publicUrl: config.publicUrl,
    countsVocabulary: config.vocabularyCounts,
    trustedProxies: config.trustedProxies,
    ...{ fileFormats: config.fileFormats, uploadTimeoutMs: config.uploadTimeoutMs, calls, mailer },
    onMailFailure: (err) => log.warn({ err }, 'a letter was not sent'),
    siteFolder: SITE_FOLDER,
    status: () => status.read(),
    clusterStatus: () => workers?.status() ?? null,
  });
  await http.ready();
  stripBasePath(http, basePathOf(config.publicUrl));

  lifecycle.onClose('http', async () => {
    const timer = setTimeout(() => calls.halt(), config.shutdownGraceMs);
    const lastTimer = setTimeout(() => http.server.closeAllConnections(), config.shutdownGraceMs + LAST_WORDS_MS);
    await Promise.all([http.close(), sockets.close()]);
    clearTimeout(timer);
    clearTimeout(lastTimer);
  });

  // Last made, first closed: what jobs were doing is put back before their parts close.
  lifecycle.own('jobs', jobs);

  let wyomingPort: number | undefined;
  return {
    http,
    storage,
    readiness,
    metrics,
    log,
    get metricsUrl() {
      return metricsHttp?.server.listening ? urlOf(metricsHttp) : undefined;
    },
    get wyomingPort() {
      return wyomingPort;
    },
    listen: async () => {
      await http.listen({ port: config.port, host: listenHost(config.host), backlog: LISTEN_BACKLOG });
      wyomingPort = await wyoming?.listen();
      await metricsHttp?.listen(config.metricsAddress!);
      return urlOf(http);
    },
    warm: async () => {
      await engine.ready();
      transcriber.attach(
        new TranscriptionService({
          engine,
          models: config.models,
          refinementStage: textStageOf(config, overrides),
          recognitionTimeoutMs: config.recognitionTimeoutMs,
          refinementTimeoutMs: config.refinementTimeoutMs,
          isTextStable: config.refinerUrl === undefined,
          maxWaitMs: config.maxWaitMs,
          recentLanguages: config.recentLanguages ? new RecentLanguages() : undefined,
          // Requests have had their time to end before the transcriber is closed.
          graceMs: 0,
          clock,
          observer: transcription.observer,
        }),
      );
      readiness.ready();
      jobs.start();
    },
    close: () => {
      readiness.drain();
      return lifecycle.close();
    },
  };
};

/** NATS is loaded where there is one, and only there. */
const connectWorkers = async (
  config: Config,
  parts: { readonly log: Log; readonly metrics: Metrics; readonly name: string },
): Promise<Workers | undefined> => {
  if (config.natsUrl === undefined) return undefined;
  const { openWorkers } = await import('../cluster/gateway/open-workers.ts');
  return openWorkers(config, parts);
};

const textStageOf = (config: Config, { refiner }: Overrides): RefinementStage =>
  refiner === undefined
    ? new RefinementThreads(serviceRefiner(refinerOptions(config, config.refinementTimeoutMs)))
    : new InlineRefinementStage(refiner);

const oidcOf = ({ oidcIssuer, oidcClientId, oidcClientSecret, oidcName }: Config) =>
  oidcIssuer === undefined
    ? undefined
    : { name: oidcName, issuer: oidcIssuer, clientId: oidcClientId ?? '', clientSecret: oidcClientSecret ?? '' };
