// Keeps a reserve of free disk space, so that the database can always record, delete and checkpoint.
import { statfs } from 'node:fs/promises';
import { Fault } from '../lib/fault.ts';

/** Bulk data is refused when less than this is free, or less than a twentieth of a small volume. */
const RESERVE_BYTES_MAX = 256 * 1024 * 1024;
const RESERVE_SHARE = 1 / 20;
const RETRY_AFTER_SECONDS = 60;

export interface Volume {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export const reserveBytesOf = ({ totalBytes }: Volume): number =>
  Math.min(RESERVE_BYTES_MAX, totalBytes * RESERVE_SHARE);

export const volumeOf = async (folder: string): Promise<Volume> => {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
};

/** Throws SERVICE_UNAVAILABLE if storing the bytes, in the log and in the database, would use up the reserve. */
export const requireFreeSpace = async (readVolume: () => Promise<Volume>, bytes: number): Promise<void> => {
  const volume = await readVolume();
  if (volume.freeBytes - 2 * bytes >= reserveBytesOf(volume)) return;
  throw new Fault('SERVICE_UNAVAILABLE', {
    message: 'The server’s disk is nearly full, so it accepts no jobs. Nothing was billed.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
};
