// The child's side of a supervised process: loads once, then answers calls one at a time.
import { Worker } from 'node:worker_threads';
import type { ChildError, FromChild, ToChild } from './protocol.ts';

const ALIVE_EVERY_MS = 1_000;

interface CallContext {
  /** Polled between model calls: true once the caller no longer wants the answer. Also the sign of life. */
  readonly shouldStop: () => boolean;
}

type Handle = (payload: unknown, context: CallContext) => Promise<unknown>;

/** The numbers of given-up calls arrive on a pipe of their own, read by a thread that is never blocked. */
const startStopLine = (): ((id: number) => boolean) => {
  const stopped = new Int32Array(new SharedArrayBuffer(4));
  new Worker(new URL('./stop-line-thread.js', import.meta.url), { workerData: stopped }).unref();
  return (id) => Atomics.load(stopped, 0) === id;
};

const loadErrorOf = (thrown: unknown): ChildError => {
  const { name, message, stack = '' } = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { name, message, stack };
};

/** The inference runtime sees numbers only, so that its messages are free of what was said. */
const RUNTIME_FRAME = /onnxruntime/;

/** The message of any other error may quote a transcript, which is not to leave the process: it is left out. */
const callErrorOf = (thrown: unknown): ChildError => {
  const { name, message, stack = '' } = thrown instanceof Error ? thrown : new Error();
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const shown = frames.some((frame) => RUNTIME_FRAME.test(frame)) ? message : 'the call failed in the child process';
  return { name, message: shown, stack: [`${name}: ${shown}`, ...frames].join('\n') };
};

/** `load` gets the options the parent gave; what it resolves to answers the calls. */
export const serveCalls = (load: (options: unknown) => Promise<Handle>): void => {
  const isStopped = startStopLine();
  const send = (message: FromChild) => {
    if (process.connected) process.send?.(message);
  };
  let handle: Handle | undefined;

  const init = async (options: unknown): Promise<void> => {
    try {
      handle = await load(options);
      send({ type: 'ready', rssBytes: process.memoryUsage.rss() });
    } catch (thrown) {
      send({ type: 'load-failed', error: loadErrorOf(thrown) });
    }
  };

  const call = async (id: number, payload: unknown): Promise<void> => {
    let aliveAt = performance.now();
    let polledAt = aliveAt;
    let longestStepMs = 0;
    const shouldStop = () => {
      const now = performance.now();
      longestStepMs = Math.max(longestStepMs, now - polledAt);
      polledAt = now;
      if (now - aliveAt >= ALIVE_EVERY_MS) {
        aliveAt = now;
        send({ type: 'alive', id });
      }
      return isStopped(id);
    };
    try {
      if (!handle) throw new Error('called before it was ready');
      const result = await handle(payload, { shouldStop });
      shouldStop();
      send({ type: 'done', id, result, rssBytes: process.memoryUsage.rss(), longestStepMs });
    } catch (thrown) {
      send({ type: 'failed', id, error: callErrorOf(thrown), rssBytes: process.memoryUsage.rss(), longestStepMs });
    }
  };

  process.on('message', (message: ToChild) => {
    void (message.type === 'init' ? init(message.options) : call(message.id, message.payload));
  });
  // Signals of the terminal go to the whole group; when to end is the parent's decision.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
};
