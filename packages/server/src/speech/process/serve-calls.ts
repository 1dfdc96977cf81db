// The child side of a supervised process: loads once, then serves one call at a time.
import { Worker } from 'node:worker_threads';
import { programUrl } from '../../lib/process/programs.ts';
import type { ChildError, FromChild, ToChild } from './protocol.ts';

const ALIVE_EVERY_MS = 1_000;

interface CallContext {
  /** True when the caller has cancelled. Poll it between model calls: it also sends the signs of life. */
  readonly shouldStop: () => boolean;
}

type Handle = (payload: unknown, context: CallContext) => Promise<unknown>;

/** Ids of stopped calls arrive on a separate pipe, read by a thread that is never blocked. */
const startStopLine = (): ((id: number) => boolean) => {
  const stopped = new Int32Array(new SharedArrayBuffer(4));
  new Worker(programUrl('speech/process/stop-line-thread'), { workerData: stopped }).unref();
  return (id) => Atomics.load(stopped, 0) === id;
};

const loadErrorOf = (thrown: unknown): ChildError => {
  const { name, message, stack = '' } = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { name, message, stack };
};

/** The inference runtime sees only numbers, so its messages cannot quote a transcript. */
const RUNTIME_FRAME = /onnxruntime/;

/** Replaces all other messages: they could quote a transcript, which must not leave the process. */
const callErrorOf = (thrown: unknown): ChildError => {
  const { name, message, stack = '' } = thrown instanceof Error ? thrown : new Error();
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const shown = frames.some((frame) => RUNTIME_FRAME.test(frame)) ? message : 'the call failed in the child process';
  return { name, message: shown, stack: [`${name}: ${shown}`, ...frames].join('\n') };
};

/** `load` receives the parent's options; the function that it resolves to serves the calls. */
export const serveCalls = (load: (options: unknown, onNotice: (text: string) => void) => Promise<Handle>): void => {
  const isStopped = startStopLine();
  const send = (message: FromChild) => {
    if (process.connected) process.send?.(message);
  };
  let handle: Handle | undefined;

  const init = async (options: unknown): Promise<void> => {
    try {
      handle = await load(options, (text) => send({ type: 'notice', text }));
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
      if (!handle) throw new Error('called before loading finished');
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
  // Terminal signals reach the whole process group; the parent decides when to exit.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
};
