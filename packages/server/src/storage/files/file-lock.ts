// A lock on a file that the operating system frees when the process dies.
import { DatabaseSync } from '@photostructure/sqlite';
import { primaryCode, RESULT } from '../sqlite/result-codes.ts';

/** Null when another process holds it. Node has no file locks: an exclusive SQLite transaction ends even after SIGKILL. */
export const lockFile = (path: string): { close(): void } | null => {
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock.close();
    if (primaryCode((cause as { errcode?: number }).errcode) === RESULT.BUSY) return null;
    throw cause;
  }
};
