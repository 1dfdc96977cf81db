// Connection options for NATS: addresses, credentials and certificate authorities.
import { readFile } from 'node:fs/promises';
import { ConfigFault } from '../config/parse.ts';
import type { ClusterSettings } from './settings.ts';

const RECONNECT_MS = 250;
const CONNECT_MS_MAX = 1_500;
/** A server that misses two pings is gone, even if the network reports nothing. */
const PING_MS = 1_000;

/** A file with only the seed of a user's nkey. */
const NKEY_SEED = /^\s*SU[A-Z2-7]+\s*$/;

type Credentials = { readonly user: string; readonly pass: string } | { readonly token: string };

/** An address may contain a user and a password, or a token. */
const credentialsIn = (address: URL): Credentials | null => {
  const [user, pass] = [address.username, address.password].map(decodeURIComponent) as [string, string];
  if (user === '') return null;
  return pass === '' ? { token: user } : { user, pass };
};

const readSetting = async (file: string, variable: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new ConfigFault([`${variable}: ${file} cannot be read (${(cause as NodeJS.ErrnoException).code})`]);
  }
};

/** Options for the client's `connect`. Reads the files now, so that faults show at once. */
export const natsOptions = async (config: ClusterSettings, name: string) => {
  const { nkeyAuthenticator, credsAuthenticator } = await import('@nats-io/transport-node');
  const addresses = (config.natsUrl ?? []).map((address) => new URL(address));
  const inAddress = addresses.map(credentialsIn).find((credentials) => credentials !== null);
  const creds = config.natsCredsFile && (await readSetting(config.natsCredsFile, 'NATS_CREDS_FILE'));
  const ca = config.natsCaFile && (await readSetting(config.natsCaFile, 'NATS_CA_FILE'));
  const wantsTls = ca !== undefined || addresses.some(({ protocol }) => protocol === 'tls:');
  return {
    name,
    servers: addresses.map(({ host }) => host),
    ...(config.natsUser !== undefined && { user: config.natsUser }),
    ...(config.natsPassword !== undefined && { pass: config.natsPassword }),
    ...inAddress,
    ...(creds !== undefined && {
      authenticator: NKEY_SEED.test(creds)
        ? nkeyAuthenticator(new TextEncoder().encode(creds.trim()))
        : credsAuthenticator(new TextEncoder().encode(creds)),
    }),
    ...(wantsTls && { tls: ca === undefined ? {} : { ca } }),
    timeout: CONNECT_MS_MAX,
    reconnectTimeWait: RECONNECT_MS,
    reconnectJitter: RECONNECT_MS / 2,
    maxReconnectAttempts: -1,
    pingInterval: PING_MS,
    maxPingOut: 2,
    // A password change must not end a running service.
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
  };
};
