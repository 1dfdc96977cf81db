// The configuration of a server: the settings of every room, read from the environment.
import { accountSettings } from '../accounts/settings.ts';
import { signInSettings } from '../accounts/sign-in/settings.ts';
import { vocabularySettings } from '../accounts/vocabulary/settings.ts';
import { voiceSettings } from '../accounts/voices/settings.ts';
import { callSettings } from '../calls/settings.ts';
import { clusterSettings } from '../cluster/settings.ts';
import { configurationPage } from '../config/page.ts';
import { ConfigFault, parseSettings } from '../config/parse.ts';
import type { Environment, Setting, SettingValues } from '../config/setting.ts';
import { unknownSettings } from '../config/unknown-settings.ts';
import { isListenAddress, type ListenAddress } from '../config/values.ts';
import { nativeSettings } from '../endpoints/native/settings.ts';
import { idempotencySettings } from '../idempotency/settings.ts';
import { jobSettings } from '../jobs/settings.ts';
import { observabilitySettings } from '../observability/settings.ts';
import { refineSettings } from '../refine/settings.ts';
import { speechSettings } from '../speech/settings.ts';
import { storageSettings } from '../storage/settings.ts';
import { languageSettings } from '../transcription/language/settings.ts';
import { transcriptionSettings } from '../transcription/settings.ts';
import { httpSettings } from '../transport/http/settings.ts';
import { streamSettings } from '../transport/websocket/settings.ts';
import { usageSettings } from '../usage/settings.ts';
import * as vendors from './vendors.ts';

/** In the order of the documentation page. */
const DECLARATIONS = [
  httpSettings,
  speechSettings,
  accountSettings,
  streamSettings,
  transcriptionSettings,
  usageSettings,
  storageSettings,
  clusterSettings,
  signInSettings,
  nativeSettings,
  callSettings,
  ...Object.values(vendors).map(({ settings }) => settings),
  jobSettings,
  voiceSettings,
  idempotencySettings,
  vocabularySettings,
  languageSettings,
  refineSettings,
  observabilitySettings,
] as const;

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

type AllValues = Intersection<SettingValues<(typeof DECLARATIONS)[number]>>;

export type Config = { readonly [Name in keyof AllValues]: AllValues[Name] };

/** Every setting and the name of its value in `Config`. */
export const SETTINGS: readonly (readonly [name: keyof Config, setting: Setting<unknown>])[] = DECLARATIONS.flatMap(
  ({ settings }) => Object.entries(settings) as [keyof Config, Setting<unknown>][],
);

/** Variables that are not settings but belong to the command line, the tests and the scripts. */
const NOT_SETTINGS = [
  'FAIRCOPY_URL',
  'FAIRCOPY_API_KEY',
  'FAIRCOPY_BUILD',
  'FAIRCOPY_CHROMIUM',
  'FAIRCOPY_SPEECH_FILE',
  'FAIRCOPY_TEST_DATABASE_URL',
  'FAIRCOPY_REQUIRE_POSTGRES',
  'FAIRCOPY_REQUIRE_MODELS',
  'FAIRCOPY_REQUIRE_BROWSER',
];

/** Every tier needs a recogniser. */
const recogniserFaults = ({ recognisers, natsUrl, remoteTiers, models }: Config): string[] => {
  const alone = models.filter((tier) => remoteTiers[tier] === undefined || remoteTiers[tier].fallback);
  if (recognisers !== 'none' || natsUrl !== undefined || alone.length === 0) return [];
  return [`FAIRCOPY_RECOGNISERS: "none" needs NATS_URL too; otherwise nothing recognises ${alone.join(', ')}`];
};

/** Links in e-mail must not be built from the Host header of a request. */
const mailFaults = ({ smtpUrl, publicUrl }: Config): string[] =>
  smtpUrl !== undefined && publicUrl === undefined
    ? ['FAIRCOPY_SMTP_URL: needs FAIRCOPY_PUBLIC_URL too, for the links in e-mail']
    : [];

/** NATS would take a missing password for an empty one. */
const natsFaults = ({ natsUser, natsPassword }: Config): string[] => {
  if ((natsUser === undefined) === (natsPassword === undefined)) return [];
  return natsUser === undefined
    ? ['NATS_PASSWORD: needs NATS_USER too']
    : ['NATS_USER: needs NATS_PASSWORD too, and it must not be empty'];
};

/** Servers that share a database must agree on the secret, so none of them makes one up. */
const jobFaults = ({ jobs, jobsSecret, databaseUrl }: Config): string[] =>
  jobs && jobsSecret === undefined && databaseUrl !== undefined
    ? ['FAIRCOPY_JOBS: with DATABASE_URL, it needs FAIRCOPY_JOBS_SECRET too']
    : [];

export const parseConfig = (env: Environment): Config => {
  const config = parseSettings(DECLARATIONS, env) as Config;
  const faults = [...recogniserFaults(config), ...mailFaults(config), ...natsFaults(config), ...jobFaults(config)];
  if (faults.length > 0) throw new ConfigFault(faults);
  return config;
};

/** Addresses of listeners besides the main one, with the variable that sets each. */
export const otherListeners = (config: Config): { readonly address: ListenAddress; readonly setting: string }[] =>
  SETTINGS.flatMap(([name, { env }]) => {
    const value = config[name];
    return isListenAddress(value) ? [{ address: value, setting: env }] : [];
  });

/** A sentence for each variable that looks like a setting but is not one. */
export const unknownSettingsIn = (env: Environment): string[] => unknownSettings(DECLARATIONS, env, NOT_SETTINGS);

const COMMON: readonly (keyof Config)[] = [
  'port',
  'host',
  'publicUrl',
  'trustedProxies',
  'dataDir',
  'databaseUrl',
  'models',
  'modelsDir',
  'maxDurationSeconds',
  'logLevel',
];

const INTRODUCTION = `# Configuration

Settings are environment variables, read once at start. All faults are reported together. \`npx faircopy check\` shows the values in use. \`npm run docs:configuration\` writes this page.
`;

export const configurationDocument = (): string =>
  configurationPage(DECLARATIONS, {
    introduction: INTRODUCTION,
    commonHeading: 'Most people set these ten',
    common: COMMON,
  });
