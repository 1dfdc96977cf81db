// Watches the disk of the embedded database: reports when it is nearly full, and shrinks the write-ahead log.
import { randomBytes } from 'node:crypto';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reserveBytesOf, type Volume } from '../free-space.ts';

const MB = 1024 * 1024;
const randomBytesOf = promisify(randomBytes);

/** Deleted when the server starts on a full disk: even opening the database needs a little space. */
export const SPARE_FILE = 'faircopy.spare';
const spareBytesOf = ({ totalBytes }: Volume): number => Math.min(8 * MB, totalBytes / 16);
/** Below this, no requests are accepted; the rest is kept for deletions and the next start. */
const isFull = ({ freeBytes, totalBytes }: Volume): boolean => freeBytes < Math.min(4 * MB, totalBytes / 32);

export const DISK_FULL = 'the disk of the data folder is full';

const CHECK_MS = 2_000;
/** Truncating the log waits for readers, so it is done at most this often, and only if the log is large. */
const TRUNCATE_EVERY_MS = 60_000;
const LOG_BYTES_MIN = 4 * MB;

/** Deletes the spare file if the disk is full, and returns whether it was. Call this before anything is written. */
export const releaseSpare = async (folder: string, readVolume: () => Promise<Volume>): Promise<boolean> => {
  const volume = await readVolume().catch(() => null);
  if (volume === null || !isFull(volume)) return false;
  await rm(join(folder, SPARE_FILE), { force: true });
  return true;
};

export interface DiskWatchParts {
  readonly folder: string;
  readonly databaseFile: string;
  readonly readVolume: () => Promise<Volume>;
  /** Moves the write-ahead log into the database and empties it. */
  readonly truncateLog: () => Promise<unknown>;
  /** Called on every check. */
  readonly report: (state: 'full' | 'short' | 'enough') => void;
  readonly checkMs?: number;
}

export class DiskWatch {
  readonly #parts: DiskWatchParts;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;
  #truncatedAtMs = -Infinity;
  #state: 'open' | 'closed' = 'open';

  constructor(parts: DiskWatchParts) {
    this.#parts = parts;
    this.#check();
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    clearTimeout(this.#timer);
    await this.#checking;
  }

  #check(): void {
    // If the volume cannot be read, the database reports its own errors.
    this.#checking = this.#act()
      .catch(() => {})
      .then(() => {
        if (this.#state === 'open') this.#timer = setTimeout(() => this.#check(), this.#parts.checkMs ?? CHECK_MS);
      });
  }

  async #act(): Promise<void> {
    const { report, readVolume } = this.#parts;
    const volume = await readVolume();
    const isShort = volume.freeBytes < reserveBytesOf(volume);
    report(isFull(volume) ? 'full' : isShort ? 'short' : 'enough');
    if (isShort) await this.#truncateLog();
    else await this.#keepSpare(volume);
  }

  async #truncateLog(): Promise<void> {
    const { folder, databaseFile, truncateLog } = this.#parts;
    if (performance.now() - this.#truncatedAtMs < TRUNCATE_EVERY_MS) return;
    const log = await stat(join(folder, `${databaseFile}-wal`));
    if (log.size < LOG_BYTES_MIN) return;
    this.#truncatedAtMs = performance.now();
    await truncateLog();
  }

  async #keepSpare(volume: Volume): Promise<void> {
    const path = join(this.#parts.folder, SPARE_FILE);
    const bytes = Math.floor(spareBytesOf(volume));
    if (volume.freeBytes - bytes < reserveBytesOf(volume)) return;
    const file = await open(path, 'wx', 0o600).catch(() => null);
    if (file === null) return;
    try {
      // Random bytes, because a file system may store zeros without using space.
      await file.write(await randomBytesOf(bytes));
    } catch (cause) {
      await rm(path, { force: true });
      throw cause;
    } finally {
      await file.close();
    }
  }
}
