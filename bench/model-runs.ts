// Counts what every model call of this process costs, by standing between the code and onnxruntime.
import { InferenceSession } from 'onnxruntime-node';

export interface RunCost {
  calls: number;
  wallMs: number;
  /** Of all threads: the calling one is blocked meanwhile, so nothing else of this process is in it. */
  cpuMs: number;
}

export interface ModelRuns {
  readonly loads: RunCost;
  readonly calls: RunCost;
}

const cpuMsNow = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Whatever the arguments: they are handed on. */
type Creating = (...args: unknown[]) => Promise<InferenceSession>;
type Running = (...args: unknown[]) => Promise<InferenceSession.ReturnType>;

const nothing = (): RunCost => ({ calls: 0, wallMs: 0, cpuMs: 0 });
let previous: Promise<unknown> = Promise.resolve();

/** One after the other, so that no call is charged with another's time. */
const charged = <T>(cost: RunCost, work: () => Promise<T>): Promise<T> => {
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

export interface Watch {
  /** Of models opened while watching, for as long as they live; grows with every call. */
  readonly soFar: ModelRuns;
  /** Models opened from now on are not counted. */
  end(): void;
}

/** One watch at a time. */
export const watchModels = (): Watch => {
  const soFar: ModelRuns = { loads: nothing(), calls: nothing() };
  const { create } = InferenceSession;
  const watchedCreate = async (...args: unknown[]): Promise<InferenceSession> => {
    const session = await charged(soFar.loads, () => Reflect.apply(create as Creating, InferenceSession, args));
    const run = session.run as Running;
    session.run = ((...given) => charged(soFar.calls, () => Reflect.apply(run, session, given))) as Running;
    return session;
  };
  InferenceSession.create = watchedCreate as typeof create;
  return {
    soFar,
    end: () => {
      InferenceSession.create = create;
    },
  };
};

const since = (before: RunCost, now: RunCost): RunCost => ({
  calls: now.calls - before.calls,
  wallMs: now.wallMs - before.wallMs,
  cpuMs: now.cpuMs - before.cpuMs,
});

/** The costs of the models that `load` loads, from then on; `take` gives what came since it was asked last. */
export const loadWatched = async <T>(load: () => Promise<T>): Promise<{ loaded: T; take: () => ModelRuns }> => {
  const { soFar, end } = watchModels();
  let taken: ModelRuns = { loads: nothing(), calls: nothing() };
  const take = (): ModelRuns => {
    const before = taken;
    taken = structuredClone(soFar);
    return { loads: since(before.loads, taken.loads), calls: since(before.calls, taken.calls) };
  };
  try {
    return { loaded: await load(), take };
  } finally {
    end();
  }
};
