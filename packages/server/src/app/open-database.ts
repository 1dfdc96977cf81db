// Opens the database, after locking the data folder and applying a restore.
import { sql } from '#kysely';
import { BUILD } from '../lib/process/version.ts';
import { applyStagedRestore } from '../storage/backup/restore.ts';
import { lockDataFolder } from '../storage/files/data-folder-lock.ts';
import { DISK_FULL, DiskWatch, releaseSpare } from '../storage/files/disk-watch.ts';
import { watchVolume } from '../storage/files/volume-metrics.ts';
import { type Volume, volumeOf } from '../storage/free-space.ts';
import { nodeNameOf } from '../storage/node-name.ts';
import { FILE_NAME, openStorage, type Storage } from '../storage/open.ts';
import { ProcessLease } from '../storage/process-lease.ts';
import type { Base } from './open-observability.ts';

export interface Database {
  readonly storage: Storage;
  /** Name of this server among those that share the database. */
  readonly node: string;
  /** Id of this process's lease, which shows other servers when the process has died. */
  readonly processId: string;
}

export const openDatabase = async (base: Base): Promise<Database> => {
  const { config, lifecycle, log, metrics } = base;
  const isEmbedded = config.databaseUrl === undefined;
  const readVolume = () => volumeOf(config.dataDir);
  if (isEmbedded) {
    if (await releaseSpare(config.dataDir, readVolume)) log.error({ folder: config.dataDir }, DISK_FULL);
    lifecycle.own('data folder', await lockDataFolder(config.dataDir));
    const restored = await applyStagedRestore(config.dataDir);
    if (restored) log.warn(restored, 'the database was replaced by the backup that "faircopy restore" staged');
    watchVolume(metrics, readVolume);
  }
  const storage = lifecycle.own('storage', await openStorage({ ...config, onNotice: (text) => log.warn(text) }));
  if (isEmbedded) lifecycle.own('disk watch', watchDisk(base, storage, readVolume));
  const node = nodeNameOf(config, config.port);
  const lease = lifecycle.own('process lease', await ProcessLease.open({ storage, node }));
  log.info({ version: BUILD, node }, 'the server starts');
  return { storage, node, processId: lease.id };
};

/** Refuses requests while the disk is full, as they could not be recorded; the console and job deletion still work. */
const watchDisk = (
  { config, log, readiness }: Base,
  { write }: Storage,
  readVolume: () => Promise<Volume>,
): DiskWatch =>
  new DiskWatch({
    folder: config.dataDir,
    databaseFile: FILE_NAME,
    readVolume,
    truncateLog: () => sql`pragma wal_checkpoint(truncate)`.execute(write),
    report: (state) => {
      if (state === 'full' && readiness.state === 'ready') {
        readiness.failed(DISK_FULL);
        log.error({ folder: config.dataDir }, DISK_FULL);
      } else if (state !== 'full' && readiness.state === 'failed' && readiness.message === DISK_FULL) {
        readiness.ready();
        log.info({ folder: config.dataDir }, 'the disk of the data folder has space again');
      }
    },
  });
