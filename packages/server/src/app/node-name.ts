// What this server is called among those that share a database: the same after a restart, different from all others.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { StorageSettings } from '../storage/settings.ts';
import type { HttpSettings } from '../transport/http/settings.ts';

export const nodeNameOf = (
  config: Pick<StorageSettings, 'nodeName' | 'dataDir'> & Pick<HttpSettings, 'port'>,
): string => {
  if (config.nodeName !== undefined) return config.nodeName;
  // On any free port nothing tells it from its neighbours, so it is a new one each time.
  if (config.port === 0) return randomUUID();
  return `${hostname()}:${resolve(config.dataDir)}:${config.port}`;
};
