// The name of this server among those that share a database: the same after a restart, and unique.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { StorageSettings } from './settings.ts';

export const nodeNameOf = (
  { nodeName, dataDir }: Pick<StorageSettings, 'nodeName' | 'dataDir'>,
  port: number,
): string => {
  if (nodeName !== undefined) return nodeName;
  // Nothing identifies a server on a free port, so each start is a new one.
  if (port === 0) return randomUUID();
  return `${hostname()}:${resolve(dataDir)}:${port}`;
};
