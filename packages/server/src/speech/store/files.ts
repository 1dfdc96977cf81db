// File operations of the store: hashing, durable moves and atomic JSON.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

interface FileStamp {
  readonly bytes: number;
  readonly mtimeMs: number;
}

export const stampOf = async (path: string): Promise<FileStamp | null> => {
  const stats = await stat(path).catch(() => null);
  return stats?.isFile() ? { bytes: stats.size, mtimeMs: stats.mtimeMs } : null;
};

export const sha256OfFile = async (path: string, signal?: AbortSignal): Promise<string> => {
  const hash = createHash('sha256');
  // Large chunks, because each costs a turn of the event loop.
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20, ...(signal && { signal }) })) {
    hash.update(piece as Buffer);
  }
  return hash.digest('hex');
};

const syncPath = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Moves a complete file to its final name, durably: after a power cut there is either the old state or the new one. */
export const moveIntoPlace = async (from: string, to: string): Promise<void> => {
  await mkdir(dirname(to), { recursive: true });
  await syncPath(from);
  await rename(from, to);
  await syncPath(dirname(to));
};

export const writeJsonAtomically = async (path: string, value: unknown): Promise<void> => {
  const draft = `${path}.${process.pid}.draft`;
  try {
    await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`);
    await moveIntoPlace(draft, path);
  } catch (cause) {
    await unlink(draft).catch(() => {});
    throw cause;
  }
};
