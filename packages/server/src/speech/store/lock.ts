// One process at a time changes the store. A lock whose owner died is taken over.
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeFolder } from '../../lib/make-folder.ts';

const HEARTBEAT_MS = 2_000;
/** On another host a process cannot be looked up; its lock is dead when it was not touched for so long. */
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

/** The lock as it was seen, when its owner is gone; null while it is held. */
const deadOwner = async (path: string): Promise<Owner | null> => {
  const [owner, stats] = await Promise.all([ownerOf(path), stat(path).catch(() => null)]);
  if (!owner || !stats) return null;
  if (Date.now() - stats.mtimeMs > SILENT_MS_MAX) return owner;
  return owner.host === hostname() && !isAlive(owner.pid) ? owner : null;
};

/** Moves a dead lock aside. Two waiters may try at once: who caught a living lock instead puts it back. */
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
  // Written in full under its own name first, so that nobody ever reads half a lock.
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
      // Only our own lock is removed: it may have been taken over while this process was asleep.
      if ((await ownerOf(path))?.token === owner.token) await unlink(path).catch(() => {});
    },
  };
};
