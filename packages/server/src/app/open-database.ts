// Opens the database, after locking the data folder and applying a restore.
import { applyStagedRestore } from '../storage/backup/restore.ts';
import { lockDataFolder } from '../storage/files/data-folder-lock.ts';
import { watchVolume } from '../storage/files/volume-metrics.ts';
import { volumeOf } from '../storage/free-space.ts';
import { nodeNameOf } from '../storage/node-name.ts';
import { openStorage, type Storage } from '../storage/open.ts';
import { ProcessLease } from '../storage/process-lease.ts';
import type { Base } from './open-observability.ts';

export interface Database {
  readonly storage: Storage;
  /** Name of this server among those that share the database. */
  readonly node: string;
  /** Id of this process; other servers see in the database when it has died. */
  readonly processId: string;
}

export const openDatabase = async ({ config, lifecycle, log, metrics }: Base): Promise<Database> => {
  if (config.databaseUrl === undefined) {
    lifecycle.own('data folder', await lockDataFolder(config.dataDir));
    const restored = await applyStagedRestore(config.dataDir);
    if (restored) log.warn(restored, 'the database was replaced by the backup that "faircopy restore" staged');
    watchVolume(metrics, () => volumeOf(config.dataDir));
  }
  const storage = lifecycle.own('storage', await openStorage({ ...config, onNotice: (text) => log.warn(text) }));
  const node = nodeNameOf(config, config.port);
  const lease = lifecycle.own('process lease', await ProcessLease.open({ storage, node }));
  return { storage, node, processId: lease.id };
};
