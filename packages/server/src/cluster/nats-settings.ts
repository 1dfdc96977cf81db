// How to reach the NATS server, from the configuration: addresses, who we are, and whom we trust.
import { readFile } from 'node:fs/promises';
import { type Config, ConfigFault } from '../config/config.ts';

export type NatsConfig = Pick<
  Config,
  'natsUrl' | 'natsUser' | 'natsPassword' | 'natsToken' | 'natsNkeyFile' | 'natsCredsFile' | 'natsCaFile'
>;

/** Once a connection is lost, so long between two tries; a try ends after so long. */
const RECONNECT_MS = 250;
const CONNECT_MS_MAX = 1_500;
/** A server that misses two of these is gone, even where the network says nothing. */
const PING_MS = 1_000;

/** User and password may stand in the address, as everywhere. */
const fromAddress = (address: string): { readonly server: string; readonly user?: string; readonly pass?: string } => {
  const url = new URL(address);
  const { username, password, host, protocol } = url;
  const server = `${protocol}//${host}`;
  if (username === '') return { server };
  return { server, user: decodeURIComponent(username), pass: decodeURIComponent(password) };
};

const readSetting = async (file: string, variable: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new ConfigFault([`${variable}: ${file} cannot be read (${(cause as NodeJS.ErrnoException).code})`]);
  }
};

/** Options for the client's `connect`; files are read, so that a fault in them shows at once. */
export const natsOptions = async (config: NatsConfig, name: string) => {
  const { nkeyAuthenticator, credsAuthenticator } = await import('@nats-io/transport-node');
  const addresses = (config.natsUrl ?? []).map(fromAddress);
  const { user = config.natsUser, pass = config.natsPassword } = addresses.find((one) => one.user !== undefined) ?? {};
  const seed = config.natsNkeyFile && (await readSetting(config.natsNkeyFile, 'NATS_NKEY_FILE'));
  const creds = config.natsCredsFile && (await readSetting(config.natsCredsFile, 'NATS_CREDS_FILE'));
  const ca = config.natsCaFile && (await readSetting(config.natsCaFile, 'NATS_CA_FILE'));
  const wantsTls = ca !== undefined || addresses.some(({ server }) => /^(tls|wss):/.test(server));
  return {
    name,
    servers: addresses.map(({ server }) => server.replace(/^(nats|tls):\/\//, '')),
    ...(user !== undefined && { user }),
    ...(pass !== undefined && { pass }),
    ...(config.natsToken !== undefined && { token: config.natsToken }),
    ...(seed !== undefined && { authenticator: nkeyAuthenticator(new TextEncoder().encode(seed.trim())) }),
    ...(creds !== undefined && { authenticator: credsAuthenticator(new TextEncoder().encode(creds)) }),
    ...(wantsTls && { tls: ca === undefined ? {} : { ca } }),
    timeout: CONNECT_MS_MAX,
    reconnectTimeWait: RECONNECT_MS,
    reconnectJitter: RECONNECT_MS / 2,
    maxReconnectAttempts: -1,
    pingInterval: PING_MS,
    maxPingOut: 2,
    // A password that is being changed must not end a running service.
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
  };
};
