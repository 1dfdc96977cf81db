// Makes every worker thread of this process one that can be killed by its kind. To be imported before any thread is made.
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import workerThreads, { BroadcastChannel, Worker, type WorkerOptions } from 'node:worker_threads';

const WRAPPER = new URL('./mortal-thread.js', import.meta.url);
export const KILL_CHANNEL = 'faircopy-kill-thread';

/** The threads by the name of their program, such as `sqlite-worker.js`. */
const threads = new Map<Worker, string>();

class MortalWorker extends Worker {
  constructor(script: string | URL, options: WorkerOptions = {}) {
    super(WRAPPER, { ...options, argv: [String(script)] });
    threads.set(this, basename(String(script)));
    this.on('exit', () => threads.delete(this));
  }
}
workerThreads.Worker = MortalWorker;
syncBuiltinESMExports();

const channel = new BroadcastChannel(KILL_CHANNEL);
channel.unref();

/**
 * Ends one thread that runs this program, between two of its messages. False when there is none. Ending it from here
 * would be harsher than anything that happens: it may stand inside a native library, which takes the process down.
 */
export const killThread = (program: string, random: () => number): boolean => {
  const found = [...threads].filter(([, name]) => name === program);
  const chosen = found[Math.floor(random() * found.length)];
  if (!chosen) return false;
  channel.postMessage({ threadId: chosen[0].threadId, how: random() < 0.5 ? 'exit' : 'throw' });
  return true;
};
