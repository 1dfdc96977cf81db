// Opens the contract's endpoints and those of every vendor in vendors.ts.
import type { Calls } from '../calls/calls.ts';
import { type ModelAlias, ModelNames } from '../calls/model-names.ts';
import { addNative } from '../endpoints/native/register.ts';
import type { Database } from './open-database.ts';
import type { Web } from './open-http.ts';
import type { Base } from './open-observability.ts';
import type { Speech } from './open-speech.ts';
import type { Usage } from './open-usage.ts';
import * as vendors from './vendors.ts';

export interface EndpointSources {
  readonly base: Base;
  readonly database: Database;
  readonly usage: Usage;
  readonly speech: Speech;
  readonly web: Web;
  readonly calls: Calls;
}

export interface Endpoints {
  /** Ports of vendors with their own listener, by name, once they are listening. */
  readonly ports: ReadonlyMap<string, number>;
  listen(): Promise<void>;
}

export const openEndpoints = async ({
  base: { config, clock, lifecycle },
  database: { storage },
  usage: { signer },
  speech: { decoding },
  web: { http, sockets },
  calls,
}: EndpointSources): Promise<Endpoints> => {
  addNative(http, { config, calls, storage, signer, decoding, sockets });
  // The operator's names come first.
  const aliases = Object.values(vendors).flatMap<ModelAlias>(({ modelAliases }) => modelAliases);
  const names = new ModelNames([...config.modelAliases, ...aliases], config.models);
  const parts = { http, config, names, calls, storage, clock, decoding, sockets };
  const listeners = new Map<string, { listen(): Promise<number> }>();
  for (const [name, vendor] of Object.entries(vendors)) {
    const listener = await vendor.open(parts);
    if (listener) listeners.set(name, lifecycle.own(name, listener));
  }
  const ports = new Map<string, number>();
  return {
    ports,
    listen: async () => {
      for (const [name, listener] of listeners) ports.set(name, await listener.listen());
    },
  };
};
