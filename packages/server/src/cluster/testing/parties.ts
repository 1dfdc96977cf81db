// Gateways and workers for tests, with a real NATS and scripted recognisers.
import type { TestContext } from 'node:test';
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import { systemClock } from '../../lib/time/clock.ts';
import type { Recogniser } from '../../speech/recogniser.ts';
import { type Script, ScriptedEngine } from '../../speech/testing/scripted-engine.ts';
import type { LossReason, WorkerChange } from '../gateway/gateway-observer.ts';
import { RemotePool } from '../gateway/remote-pool.ts';
import type { RefusedReason, WorkerState } from '../messages.ts';
import { NatsBus } from '../nats-bus.ts';
import { Refusals } from '../refusals.ts';
import type { ClusterSettings } from '../settings.ts';
import { WorkerLink } from '../worker/worker-link.ts';

export const natsConfig = (url: string, more: Partial<ClusterSettings> = {}): ClusterSettings => ({
  natsUrl: [url],
  natsUser: undefined,
  natsPassword: undefined,
  natsCredsFile: undefined,
  natsCaFile: undefined,
  ...more,
});

export interface Refused {
  readonly reasons: RefusedReason[];
  readonly lines: string[];
}

const openBus = async (t: TestContext, url: string, name: string): Promise<{ bus: NatsBus; notices: string[] }> => {
  const notices: string[] = [];
  const bus = new NatsBus(natsConfig(url), name, { warn: (line) => notices.push(line), info: () => {} });
  t.after(() => bus.close());
  await bus.start();
  return { bus, notices };
};

const refusalsOf = (): { refusals: Refusals; refused: Refused } => {
  const refused: Refused = { reasons: [], lines: [] };
  const refusals = new Refusals({
    count: (reason) => refused.reasons.push(reason),
    log: (_facts, line) => refused.lines.push(line),
  });
  return { refusals, refused };
};

interface PartyOptions {
  readonly name?: string;
  readonly version?: string;
}

export const openGateway = async (t: TestContext, url: string, options: PartyOptions = {}) => {
  const { name = 'gateway', version = '1.2.3' } = options;
  const { bus, notices } = await openBus(t, url, name);
  const { refusals, refused } = refusalsOf();
  const lost: LossReason[] = [];
  const done: string[] = [];
  const changes: string[] = [];
  const observer = {
    windowDone: (worker: string) => done.push(worker),
    windowLost: (why: LossReason) => lost.push(why),
    workerChanged: ({ name: worker }: WorkerState, change: WorkerChange) => changes.push(`${worker} ${change}`),
  };
  const pool = new RemotePool({ bus, name, version, clock: systemClock, refusals, observer });
  pool.start();
  t.after(() => pool.close());
  /** Resolves as soon as the condition holds. */
  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = () => condition() && resolve();
      pool.onChange(look);
      look();
    });
  return { pool, bus, notices, refused, lost, done, changes, until };
};

export const openWorker = async (
  t: TestContext,
  url: string,
  options: PartyOptions & {
    readonly script?: Script;
    readonly tiers?: readonly ModelId[];
    readonly recogniser?: Recogniser;
  } = {},
) => {
  const { name = 'worker', version = '1.2.3', tiers = MODEL_IDS } = options;
  const { bus, notices } = await openBus(t, url, name);
  const { refusals, refused } = refusalsOf();
  const engine = new ScriptedEngine({ slots: 1, ...options.script });
  const recogniser = options.recogniser ?? engine.recogniser;
  const ended: string[] = [];
  const observer = { windowEnded: (_tier: ModelId, outcome: string) => ended.push(outcome) };
  const link = new WorkerLink({ bus, recogniser, tiers, name, version, clock: systemClock, refusals, observer });
  link.start();
  t.after(() => link.close());
  return { link, bus, engine, notices, refused, ended };
};
