// A lock that lets one process at a time change the store. The lock of a dead process is taken over.
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeFolder } from '../../lib/make-folder.ts';

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

const ownerOf = async (path: string): Promise<Owner | null> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Owner;
  } catch {
    return null;
  }
};

/** The owner of a dead lock; null while the lock is held. */
const deadOwner = async (path: string): Promise<Owner | null> => {
  const [owner, stats] = await Promise.all([ownerOf(path), stat(path).catch(() => null)]);
  if (!owner || !stats) return null;
  if (Date.now() - stats.mtimeMs > SILENT_MS_MAX) return owner;
  return owner.host === hostname() && !isAlive(owner.pid) ? owner : null;
};

/** Moves a dead lock aside. If another waiter has replaced it in the meantime, the new lock is put back. */
const clearDead = async (path: string, dead: Owner): Promise<void> => {
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

export const acquireStoreLock = async (
  storeFolder: string,
  options: { signal?: AbortSignal; onWait?: () => void } = {},
): Promise<StoreLock> => {
  await makeFolder(storeFolder);
  const path = join(storeFolder, '.lock');
  const owner: Owner = { token: randomUUID(), pid: process.pid, host: hostname() };
  // Write it completely under another name first, so that nobody reads a partial lock.
  const draft = `${path}.${owner.token}`;
  await writeFile(draft, JSON.stringify(owner));
  try {
    for (let waited = false; ; waited = true) {
      options.signal?.throwIfAborted();
      const taken = await link(draft, path).then(
        () => true,
        () => false,
      );
      if (taken) break;
      const dead = await deadOwner(path);
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
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return {
    async release() {
      clearInterval(heartbeat);
      // Remove only this process's own lock: it may have been taken over while the process was suspended.
      if ((await ownerOf(path))?.token === owner.token) await unlink(path).catch(() => {});
    },
  };
};
