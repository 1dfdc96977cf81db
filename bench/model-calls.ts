// Counts the cost of this process's model calls by wrapping onnxruntime's sessions.
import { createRequire } from 'node:module';
import type * as Onnx from 'onnxruntime-node';

// Loads the same copy as the server, which may have its own.
const { InferenceSession } = createRequire(import.meta.resolve('@faircopy/server/package.json'))(
  'onnxruntime-node',
) as typeof Onnx;
type InferenceSession = Onnx.InferenceSession;

export interface CallCost {
  calls: number;
  wallMs: number;
  /** Of all threads. The calling thread is blocked during a call, so no other work of this process is included. */
  cpuMs: number;
}

export interface ModelCalls {
  /** Opening of sessions. */
  readonly loads: CallCost;
  /** `session.run`. */
  readonly runs: CallCost;
}

const cpuMsNow = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Arguments are passed through unchanged. */
type Create = (...args: unknown[]) => Promise<InferenceSession>;
type Run = (...args: unknown[]) => Promise<Onnx.InferenceSession.ReturnType>;

const zeroCost = (): CallCost => ({ calls: 0, wallMs: 0, cpuMs: 0 });
let previous: Promise<unknown> = Promise.resolve();

/** Runs calls one after the other, so that no call is charged for another. */
const charged = <T>(cost: CallCost, work: () => Promise<T>): Promise<T> => {
  const done = previous.then(async () => {
    const startedMs = performance.now();
    const cpuBefore = cpuMsNow();
    const result = await work();
    cost.calls += 1;
    cost.wallMs += performance.now() - startedMs;
    cost.cpuMs += cpuMsNow() - cpuBefore;
    return result;
  });
  previous = done.catch(() => {});
  return done;
};

/** Counts every session opened from now on. The returned object is updated by each call. */
export const countModelCalls = (): ModelCalls => {
  const counted: ModelCalls = { loads: zeroCost(), runs: zeroCost() };
  const { create } = InferenceSession;
  const countedCreate = async (...args: unknown[]): Promise<InferenceSession> => {
    const session = await charged(counted.loads, () => Reflect.apply(create as Create, InferenceSession, args));
    const run = session.run as Run;
    session.run = ((...given) => charged(counted.runs, () => Reflect.apply(run, session, given))) as Run;
    return session;
  };
  InferenceSession.create = countedCreate as typeof create;
  return counted;
};
