// Makes every worker thread of this process killable by its program name. Import this before any thread is created.
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import workerThreads, { BroadcastChannel, Worker, type WorkerOptions } from 'node:worker_threads';

const WRAPPER = new URL('./killable-thread.js', import.meta.url);
export const KILL_CHANNEL = 'faircopy-kill-thread';

/** Threads and their program names, such as `sqlite-worker.js`. */
const threads = new Map<Worker, string>();

class KillableWorker extends Worker {
  constructor(script: string | URL, options: WorkerOptions = {}) {
    super(WRAPPER, { ...options, argv: [String(script)] });
    threads.set(this, basename(String(script)));
    this.on('exit', () => threads.delete(this));
  }
}
workerThreads.Worker = KillableWorker;
syncBuiltinESMExports();

const channel = new BroadcastChannel(KILL_CHANNEL);
channel.unref();

/**
 * Ends one thread that runs this program, between two messages. False if there is none. Terminating it from outside
 * could crash the process, because the thread may be inside a native library.
 */
export const killThread = (program: string, random: () => number): boolean => {
  const found = [...threads].filter(([, name]) => name === program);
  const chosen = found[Math.floor(random() * found.length)];
  if (!chosen) return false;
  channel.postMessage({ threadId: chosen[0].threadId, how: random() < 0.5 ? 'exit' : 'throw' });
  return true;
};
