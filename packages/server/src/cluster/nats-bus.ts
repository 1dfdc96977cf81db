// The bus on NATS core: reconnects endlessly, keeps no messages, and reports unsuitable server settings.
import type { NatsConnection } from '@nats-io/transport-node';
import type { Bus, BusListener } from './bus.ts';
import { natsOptions } from './nats-options.ts';
import type { ClusterSettings } from './settings.ts';
import { WINDOW_BYTES_MAX } from './window-message.ts';

export interface BusNotices {
  /** For operators; not repeated. */
  warn(line: string): void;
  info(line: string): void;
}

/** Limits of the connected server. */
export interface ServerRules {
  readonly maxPayload: number;
  readonly requiresLogin: boolean;
}

export const rulesOf = (connection: NatsConnection): ServerRules => ({
  maxPayload: connection.info?.max_payload ?? 0,
  requiresLogin: connection.info?.auth_required === true,
});

/** Problems with the server's configuration, for operators. */
export const ruleFaults = ({ maxPayload, requiresLogin }: ServerRules): { fault?: string; warning?: string } => ({
  ...(maxPayload < WINDOW_BYTES_MAX && {
    fault: `NATS accepts messages up to ${maxPayload} bytes, but a window of speech may have ${WINDOW_BYTES_MAX}: set max_payload to 1048576 in its configuration`,
  }),
  ...(!requiresLogin && {
    warning:
      'NATS requires no login: anyone who can reach it can read audio and transcripts. Configure users and permissions (docs/scaling.md)',
  }),
});

const RETRY_MS = 500;

export class NatsBus implements Bus {
  readonly #config: ClusterSettings;
  readonly #name: string;
  readonly #notices: BusNotices;
  readonly #subscriptions: { readonly subject: string; readonly onMessage: (bytes: Uint8Array) => void }[] = [];
  readonly #listeners: BusListener[] = [];
  #connection: NatsConnection | undefined;
  #isConnected = false;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;
  #lastNotice = '';

  constructor(config: ClusterSettings, name: string, notices: BusNotices) {
    this.#config = config;
    this.#name = name;
    this.#notices = notices;
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Connects; later attempts run in the background. Rejects when the settings are invalid. */
  async start(): Promise<void> {
    const options = await natsOptions(this.#config, this.#name);
    const { connect } = await import('@nats-io/transport-node');
    const attempt = async (): Promise<void> => {
      if (this.#isClosed) return;
      try {
        const connection = await connect(options);
        if (this.#isClosed) await connection.close();
        else this.#use(connection);
      } catch (cause) {
        this.#notice(`NATS cannot be reached: ${(cause as Error).message}; retrying`);
        this.#retry = setTimeout(() => void attempt(), RETRY_MS);
      }
    };
    await attempt();
  }

  publish(subject: string, bytes: Uint8Array): void {
    if (!this.#isConnected || this.#connection === undefined) return;
    try {
      this.#connection.publish(subject, bytes);
    } catch (cause) {
      // Oversized messages were reported on connecting; the status reports a closed connection.
      this.#notice(`NATS refused a message: ${(cause as Error).message}`);
    }
  }

  subscribe(subject: string, onMessage: (bytes: Uint8Array) => void): void {
    this.#subscriptions.push({ subject, onMessage });
    if (this.#connection) this.#subscribeOn(this.#connection, subject, onMessage);
  }

  listen(listener: BusListener): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    // Send pending messages first.
    if (this.#isConnected) await this.#connection?.flush().catch(() => {});
    this.#isConnected = false;
    await this.#connection?.close();
  }

  #use(connection: NatsConnection): void {
    this.#connection = connection;
    for (const { subject, onMessage } of this.#subscriptions) this.#subscribeOn(connection, subject, onMessage);
    void this.#watch(connection);
    this.#connected();
  }

  #subscribeOn(connection: NatsConnection, subject: string, onMessage: (bytes: Uint8Array) => void): void {
    connection.subscribe(subject, {
      callback: (fault, message) => {
        if (fault) this.#notice(`NATS does not allow listening on ${subject}: ${fault.message}`);
        else onMessage(message.data);
      },
    });
  }

  #connected(): void {
    this.#isConnected = true;
    this.#lastNotice = '';
    this.#notices.info(`connected to NATS at ${this.#connection?.getServer()}`);
    const { fault, warning } = ruleFaults(rulesOf(this.#connection!));
    if (fault) this.#notice(fault);
    if (warning) this.#notice(warning);
    for (const listener of this.#listeners) listener.onConnected();
  }

  #disconnected(): void {
    if (!this.#isConnected) return;
    this.#isConnected = false;
    this.#notice('the connection to NATS was lost; reconnecting');
    for (const listener of this.#listeners) listener.onDisconnected();
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (this.#isClosed) return;
      if (status.type === 'disconnect' || status.type === 'staleConnection') this.#disconnected();
      else if (status.type === 'reconnect') this.#connected();
      else if (status.type === 'error') this.#notice(`NATS: ${status.error.message}`);
    }
  }

  /** Does not repeat the last notice. */
  #notice(line: string): void {
    if (line === this.#lastNotice || this.#isClosed) return;
    this.#lastNotice = line;
    this.#notices.warn(line);
  }
}
