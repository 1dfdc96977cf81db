// The folder that a watcher writes transcripts to. Their sources are in the same logs that `faircopy transcribe` keeps.
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path';
import { UNFINISHED, writeTranscript } from '../../client/transcript-files.ts';
import { appendToLog, compactLog, LOG_FILE, readLog, type TranscriptRecord } from '../../client/transcript-log.ts';
import { AlreadyWatched, type TranscriptOutput, type WatchLock } from '../ports.ts';

const LOCK_FILE = '.faircopy-watch.lock';
/** A log is compacted at start when it has this many bytes per record. */
const COMPACT_BYTES_PER_RECORD = 1_000;

export class TranscriptFolder implements TranscriptOutput {
  readonly #folder: string;
  /** Records are written one after the other. */
  #logged: Promise<void> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = resolve(folder);
  }

  async lock(): Promise<WatchLock> {
    await mkdir(this.#folder, { recursive: true });
    const { lockFile } = await import('../../../storage/files/file-lock.ts');
    const lock = lockFile(join(this.#folder, LOCK_FILE));
    if (lock === null)
      throw new AlreadyWatched(
        `Another "faircopy watch" writes to ${this.#folder}. Stop it, or choose another folder.`,
      );
    return { lost: new AbortController().signal, release: async () => lock.close() };
  }

  async records(): Promise<readonly TranscriptRecord[]> {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    const all: TranscriptRecord[] = [];
    for (const { name, parentPath } of entries) {
      if (isAbandoned(name)) await rm(join(parentPath, name), { force: true });
      if (name !== LOG_FILE) continue;
      const within = relative(this.#folder, parentPath).replaceAll(sep, '/');
      all.push(...(await this.#recordsIn(within)));
    }
    return all;
  }

  async #recordsIn(within: string): Promise<TranscriptRecord[]> {
    const folder = join(this.#folder, within);
    const records = await readLog(folder);
    const { size } = await stat(join(folder, LOG_FILE));
    if (size > COMPACT_BYTES_PER_RECORD * (records.size + 100)) await compactLog(folder, records.values());
    return [...records.values()].map((record) => ({ ...record, output: posix.join(within, record.output) }));
  }

  async record(record: TranscriptRecord): Promise<void> {
    const path = this.addressOf(record.output);
    const append = async () => {
      await mkdir(dirname(path), { recursive: true });
      await appendToLog(dirname(path), { ...record, output: basename(path) });
    };
    const logged = this.#logged.then(append);
    this.#logged = logged.catch(() => undefined);
    await logged;
  }

  async exists(output: string): Promise<boolean> {
    try {
      await stat(this.addressOf(output));
      return true;
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw thrown;
    }
  }

  write(output: string, text: string): Promise<void> {
    return writeTranscript(this.addressOf(output), text);
  }

  addressOf(output: string): string {
    return join(this.#folder, output);
  }

  async close(): Promise<void> {}
}

/** Whether a temporary file was left behind by a process that was killed while writing. */
const isAbandoned = (name: string): boolean => {
  const pid = Number(UNFINISHED.exec(name)?.[1] ?? Number.NaN);
  if (Number.isNaN(pid)) return false;
  try {
    process.kill(pid, 0);
    return pid === process.pid;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'ESRCH';
  }
};
