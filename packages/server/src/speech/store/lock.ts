// A lock that lets one process at a time change the store. The lock of a dead process is taken over.
import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, stat, unlink, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeFolder } from '../../lib/files/make-folder.ts';

const HEARTBEAT_MS = 2_000;
/** A lock that was not touched for this long is dead: a process on another host cannot be checked otherwise. */
const SILENT_MS_MAX = 30_000;
const POLL_MS = 200;

interface StoreLock {
  release(): Promise<void>;
}

interface Owner {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Null if there is no lock or, after a power cut, an empty one. */
const ownerOf = async (path: string): Promise<Owner | null> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Owner;
  } catch {
    return null;
  }
};

interface DeadLock {
  /** Null if it cannot be read. */
  readonly token: string | null;
}

/** Null while the lock is held. */
const deadLock = async (path: string): Promise<DeadLock | null> => {
  const [owner, stats] = await Promise.all([ownerOf(path), stat(path).catch(() => null)]);
  if (!stats) return null;
  const isSilent = Date.now() - stats.mtimeMs > SILENT_MS_MAX;
  const isEnded = owner !== null && owner.host === hostname() && !isAlive(owner.pid);
  return isSilent || isEnded ? { token: owner?.token ?? null } : null;
};

/** Moves a dead lock aside. If another waiter has replaced it in the meantime, the new lock is put back. */
const clearDead = async (path: string, dead: DeadLock): Promise<void> => {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  const caught = await ownerOf(aside);
  if (caught && caught.token !== dead.token) await link(aside, path).catch(() => {});
  await unlink(aside).catch(() => {});
};

const touch = async (path: string): Promise<void> => {
  const now = new Date();
  await utimes(path, now, now).catch(() => {});
};

/** On disk when it resolves: a lock whose content is lost in a power cut would name nobody. */
const writeDraft = async (draft: string, owner: Owner): Promise<void> => {
  const file = await open(draft, 'wx');
  try {
    await file.writeFile(JSON.stringify(owner));
    await file.sync();
  } finally {
    await file.close();
  }
};

/** What `link` answers on a file system without hard links. */
const NO_LINKS: readonly (string | undefined)[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Resolves to false while there is another lock. */
const take = async (draft: string, path: string): Promise<boolean> => {
  try {
    // The lock gets the time of the draft: after a long wait it would look dead until the first heartbeat.
    await touch(draft);
    await link(draft, path);
    return true;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.includes(code)) throw cause;
    // Without its code, which would be reported as a folder that cannot be written.
    const where = `The model store cannot be locked with ${path}: its file system has no hard links (${code}).`;
    throw new Error(`${where} Set FAIRCOPY_MODELS_DIR to a folder on another one.`, { cause });
  }
};

export const acquireStoreLock = async (
  storeFolder: string,
  options: { signal?: AbortSignal; onWait?: () => void } = {},
): Promise<StoreLock> => {
  await makeFolder(storeFolder);
  const path = join(storeFolder, '.lock');
  const owner: Owner = { token: randomUUID(), pid: process.pid, host: hostname() };
  // Write it completely under another name first, so that nobody reads a partial lock.
  const draft = `${path}.${owner.token}`;
  try {
    await writeDraft(draft, owner);
    for (let waited = false; ; waited = true) {
      options.signal?.throwIfAborted();
      if (await take(draft, path)) break;
      const dead = await deadLock(path);
      if (dead) {
        await clearDead(path, dead);
        continue;
      }
      if (!waited) options.onWait?.();
      await wait(POLL_MS, undefined, options.signal ? { signal: options.signal } : {});
    }
  } finally {
    await unlink(draft).catch(() => {});
  }
  const heartbeat = setInterval(() => touch(path), HEARTBEAT_MS);
  heartbeat.unref();
  return {
    async release() {
      clearInterval(heartbeat);
      // Remove only this process's own lock: it may have been taken over while the process was suspended.
      if ((await ownerOf(path))?.token === owner.token) await unlink(path).catch(() => {});
    },
  };
};
