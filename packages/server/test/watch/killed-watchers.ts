// Kills watchers at random moments, one after the other, while recordings appear.
import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from '../http/service.ts';
import { WatchProcess, type WatchTarget } from './watch-process.ts';

export interface KilledWatchersOptions {
  readonly service: Service;
  readonly target: WatchTarget;
  readonly args: readonly string[];
  readonly kills: number;
  readonly recordings: number;
  readonly random: () => number;
  /** The longest life of a watcher. */
  readonly lifeMsMax: number;
  /** Puts one recording in place. */
  readonly put: (index: number) => Promise<void>;
  /** Runs after a watcher was killed. */
  readonly onKilled?: (life: number) => void;
}

/** Resolves when every recording is in place and the last of these watchers is dead. */
export const killWatchers = async (options: KilledWatchersOptions): Promise<void> => {
  const { service, target, args, kills, recordings, random, lifeMsMax, put, onKilled } = options;
  let putting = Promise.resolve();
  for (let life = 0; life < kills; life += 1) {
    const share = Math.ceil(recordings / kills);
    const indices = Array.from({ length: share }, (_, at) => life * share + at).filter((index) => index < recordings);
    putting = Promise.all([putting, ...indices.map(put)]).then(() => undefined);
    putting.catch(() => undefined);
    const watcher = new WatchProcess(target, args);
    try {
      await watcher.says(/Watching/);
      // Kills while a recording settles, is sent or transcribed, or when one is billed but its transcript is unwritten.
      const before = (await service.rows()).length;
      const end = performance.now() + random() * lifeMsMax;
      const isBilled = async () => life % 2 === 1 && (await service.rows()).length > before;
      while (performance.now() < end && !(await isBilled())) await pause(2);
    } finally {
      await watcher.stop('SIGKILL');
    }
    onKilled?.(life);
  }
  await putting;
};
