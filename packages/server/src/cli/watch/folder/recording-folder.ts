// A folder that is watched for recordings, including its subfolders.
import { createHash } from 'node:crypto';
import { constants, type Dirent, openAsBlob, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { LIMITS } from '@faircopy/contract';
import { isRecordingName } from '../../client/transcript-files.ts';
import {
  type FoundRecording,
  type Listing,
  type OpenedRecording,
  RecordingChanged,
  type RecordingSource,
  UnreadableRecording,
  type Unusable,
} from '../ports.ts';

/** Files that are examined at the same time. */
const AT_ONCE = 64;

/** The system sets ctime, so even a copy that keeps the modification time is noticed. */
const versionOf = ({ size, mtimeMs, ctimeMs }: Stats): string => `${size} ${mtimeMs} ${ctimeMs}`;

const hasCode = (thrown: unknown, ...codes: readonly string[]): boolean =>
  codes.includes((thrown as NodeJS.ErrnoException).code ?? '');

/** Whether the file has disappeared or is no longer a regular file. */
const isGone = (thrown: unknown): boolean => hasCode(thrown, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO');

export class RecordingFolder implements RecordingSource {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = resolve(folder);
  }

  async list(signal: AbortSignal): Promise<Listing> {
    const recordings: FoundRecording[] = [];
    const unusable: Unusable[] = [];
    const waiting = [''];
    for (let within = waiting.pop(); within !== undefined; within = waiting.pop()) {
      signal.throwIfAborted();
      let entries: Dirent[];
      try {
        entries = await readdir(join(this.#folder, within), { withFileTypes: true });
      } catch (thrown) {
        if (within === '') throw thrown;
        if (!isGone(thrown)) unusable.push({ address: join(this.#folder, within), reason: thrown });
        continue;
      }
      const visible = entries.filter(({ name }) => !name.startsWith('.'));
      for (const entry of visible) if (entry.isDirectory()) waiting.push(`${within}${entry.name}/`);
      const named = visible.filter((entry) => !entry.isDirectory() && isRecordingName(entry.name));
      for (let at = 0; at < named.length; at += AT_ONCE) {
        const found = await Promise.all(named.slice(at, at + AT_ONCE).map(({ name }) => this.#examine(within + name)));
        for (const one of found.filter((each) => each !== null))
          if ('reason' in one) unusable.push(one);
          else recordings.push(one);
      }
    }
    return { recordings, unusable };
  }

  async #examine(name: string): Promise<FoundRecording | Unusable | null> {
    const address = join(this.#folder, name);
    try {
      const stats = await lstat(address);
      if (!stats.isFile()) return { address, reason: new Error('It is not a regular file, so it is skipped.') };
      return { name, address, version: versionOf(stats), bytes: stats.size, modifiedMs: stats.mtimeMs };
    } catch (thrown) {
      return isGone(thrown) ? null : { address, reason: thrown };
    }
  }

  async open(found: FoundRecording): Promise<OpenedRecording> {
    // Opening a fifo that took the place of the file must not wait for a writer.
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
    const file = await open(found.address, flags).catch((thrown: unknown) => {
      if (isGone(thrown)) throw new RecordingChanged();
      if (!hasCode(thrown, 'EACCES', 'EPERM')) throw thrown;
      throw new UnreadableRecording('It cannot be read: permission denied.', { cause: thrown });
    });
    try {
      await checkVersion(file, found);
      const hash = createHash('sha256');
      const kept: Uint8Array<ArrayBuffer>[] = [];
      const isKept = found.bytes <= LIMITS.fileBytesMax;
      for await (const chunk of file.createReadStream({ autoClose: false })) {
        hash.update(chunk);
        if (isKept) kept.push(chunk);
      }
      await checkVersion(file, found);
      // A blob of a path cannot be read any more once the file has changed.
      const audio = isKept ? new Blob(kept) : await openAsBlob(found.address);
      if (audio.size !== found.bytes) throw new RecordingChanged();
      return { audio, sha256: hash.digest('hex'), release: async () => {} };
    } finally {
      await file.close();
    }
  }

  async isUnchanged({ address, version }: FoundRecording): Promise<boolean> {
    const stats = await statsOf(address);
    return stats !== null && versionOf(stats) === version;
  }

  async exists(address: string): Promise<boolean> {
    return (await statsOf(address))?.isFile() ?? false;
  }

  async close(): Promise<void> {}
}

/** Null when the file has disappeared. */
const statsOf = async (path: string): Promise<Stats | null> => {
  try {
    return await lstat(path);
  } catch (thrown) {
    if (isGone(thrown)) return null;
    throw thrown;
  }
};

const checkVersion = async (file: FileHandle, { version }: FoundRecording): Promise<void> => {
  const stats = await file.stat();
  if (!stats.isFile() || versionOf(stats) !== version) throw new RecordingChanged();
};
