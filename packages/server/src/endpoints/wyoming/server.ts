// The Wyoming listener: plain TCP for Home Assistant, tied to one account.
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { ModelId } from '@faircopy/contract';
import type { UploadDecoding } from '../../audio/upload-decoding.ts';
import type { Calls } from '../../calls/calls.ts';
import type { ModelNames } from '../../calls/model-names.ts';
import type { StreamSettings } from '../../transport/websocket/settings.ts';
import { WyomingConnection } from './connection.ts';
import type { WyomingSettings } from './settings.ts';

export interface WyomingServerParts {
  readonly config: WyomingSettings & { readonly models: readonly ModelId[] } & Pick<
      StreamSettings,
      'idleTimeoutMs' | 'maxStreamSeconds'
    >;
  readonly names: ModelNames;
  readonly calls: Calls;
  readonly decoding: Pick<UploadDecoding, 'openLive'>;
}

const CONNECTIONS_MAX = 256;

export class WyomingServer {
  readonly #config: WyomingServerParts['config'];
  readonly #server: Server;
  readonly #open = new Set<WyomingConnection>();

  constructor({ config, names, calls, decoding }: WyomingServerParts) {
    this.#config = config;
    const { models, idleTimeoutMs } = config;
    const shared = { calls, decoding, names, models, key: config.wyomingKey ?? '', idleTimeoutMs };
    this.#server = createServer((socket) => {
      const connection = new WyomingConnection(socket, { ...shared, maxSeconds: config.maxStreamSeconds });
      this.#open.add(connection);
      void connection.ended.then(() => this.#open.delete(connection));
    });
    this.#server.maxConnections = CONNECTIONS_MAX;
  }

  /** Resolves to the port. */
  async listen(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#config.wyomingAddress, resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    const ended = [...this.#open].map((connection) => connection.ended);
    for (const connection of this.#open) connection.close();
    await Promise.all([...ended, this.#server.listening ? closed : undefined]);
  }
}
