// `npm run simulate -- validate [--seconds 60]`: runs the same gateway, callers and load in virtual time, and in real
// time on a real NATS with 1 to 8 worker processes. Recognisers only wait: two cores could not run that many real ones.
import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '../../src/cluster/messages.ts';
import { NatsBus } from '../../src/cluster/nats-bus.ts';
import { startOwnNats } from '../../src/cluster/testing/own-nats.ts';
import { natsConfig } from '../../src/cluster/testing/parties.ts';
import { VERSION } from '../../src/lib/process/version.ts';
import { SAMPLE_RATE_HZ } from '../../src/lib/sample-rate.ts';
import { seededRandom } from '../../src/lib/seeded-random.ts';
import { systemTimers, type Timers } from '../../src/lib/time/timers.ts';
import { endChild, startChild } from '../bench/worker-parts.ts';
import { Callers } from './callers.ts';
import { Figures, Waits } from './figures.ts';
import { Fleet } from './fleet.ts';
import { DEFAULT_PLAN, type Plan } from './plan.ts';
import { randomPerCaller, simulate } from './simulate.ts';
import type { PartyBus } from './simulated-nats.ts';

const SIZES = [1, 2, 4, 8] as const;
/** Fast workers, for many windows in a short time. */
const SPEED = 2;
const SLOTS = 2;
const TOLERANCE = 0.15;
/** Callers do the same in both runs, which leaves little to chance; several seeds leave less. */
const SEEDS = [1, 2, 3] as const;

const planOf = (workers: number, seconds: number, seed: number): Plan => ({
  ...DEFAULT_PLAN,
  workers,
  slots: SLOTS,
  speed: SPEED,
  gateways: 1,
  natsServers: 1,
  accounts: 10,
  // Live speech takes two fifths of the slots; files take the rest, and always wait.
  streams: 8 * SPEED * workers,
  windowSeconds: 4,
  fileLoad: 0,
  filesPerAccount: 2 * workers,
  slowLinks: 0,
  seconds,
  warmUpSeconds: 10,
  seed,
});

interface Measured {
  readonly windowsPerSecond: number;
  readonly live: Waits;
  readonly files: Waits;
}

const measuredOf = ({ windows, waits }: Figures, seconds: number): Measured => {
  const [live, files] = [new Waits(), new Waits()];
  for (const [kind, some] of waits) (kind.endsWith('live') ? live : files).addAll(some);
  return { windowsPerSecond: windows / seconds, live, files };
};

const together = (runs: readonly Measured[]): Measured => {
  const all = { windowsPerSecond: 0, live: new Waits(), files: new Waits() };
  for (const { windowsPerSecond, live, files } of runs) {
    all.windowsPerSecond += windowsPerSecond / runs.length;
    all.live.addAll(live);
    all.files.addAll(files);
  }
  return all;
};

const predict = async (plan: Plan): Promise<Measured> => {
  const { figures } = await simulate(plan, undefined, randomPerCaller(plan.seed));
  return measuredOf(figures, plan.seconds);
};

const startWorker = (natsUrl: string, nth: number): Promise<ChildProcess> => {
  const env = { NATS_URL: natsUrl, FAIRCOPY_NODE_NAME: `worker-${nth}`, PORT: '0' };
  return startChild('../simulate/timed-worker.js', { slots: SLOTS, speed: SPEED }, env);
};

/** A connection to the real NATS, which is opened in the background. */
const connectTo = (url: string): PartyBus => {
  const bus = new NatsBus(natsConfig(url), 'gateway', { warn: () => {}, info: () => {} });
  void bus.start();
  return Object.assign(bus, { cut: () => void bus.close() });
};

const measure = async (plan: Plan): Promise<Measured> => {
  const nats = await startOwnNats();
  const workers = await Promise.all(Array.from({ length: plan.workers }, (_, nth) => startWorker(nats.url, nth)));
  const originMs = performance.now();
  const monotonicMs = () => performance.now() - originMs;
  let isOver = false;
  // Stops the callers, which would retry forever without a gateway.
  const after: Timers['after'] = (ms, run) => systemTimers.after(ms, () => isOver || run());
  const figures = new Figures();
  const world = {
    version: VERSION,
    time: { ...systemTimers, after, now: Date.now, monotonicMs },
    connect: () => connectTo(nats.url),
    samplesPerSecond: SAMPLE_RATE_HZ,
    random: seededRandom(plan.seed),
    randomOf: randomPerCaller(plan.seed),
    figures,
    newId,
  };
  // The workers run in separate processes.
  const fleet = new Fleet(world, { ...plan, workers: 0 });
  fleet.start();
  new Callers(world, plan, fleet).start();
  await wait(1000 * plan.warmUpSeconds);
  figures.clear();
  const fromMs = performance.now();
  await wait(1000 * plan.seconds);
  const measured = measuredOf(figures, (performance.now() - fromMs) / 1000);
  isOver = true;
  for (const gateway of fleet.gateways) gateway.kill();
  for (const worker of workers) await endChild(worker);
  await nats.close();
  return measured;
};

/** Compares predictions with measurements; false when some differ by more than the tolerance. */
export const validate = async (seconds: number): Promise<boolean> => {
  let isWithin = true;
  console.log('| worker processes | figure | predicted | measured | difference |\n|---:|---|---:|---:|---:|');
  for (const workers of SIZES) {
    const [predictions, measurements]: [Measured[], Measured[]] = [[], []];
    for (const seed of SEEDS) {
      const plan = planOf(workers, seconds, seed);
      predictions.push(await predict(plan));
      measurements.push(await measure(plan));
    }
    const [predicted, measured] = [together(predictions), together(measurements)];
    const row = (figure: string, of: (one: Measured) => number, unit: string): void => {
      const [expected, seen] = [of(predicted), of(measured)];
      const difference = seen / expected - 1;
      isWithin &&= Math.abs(difference) <= TOLERANCE;
      const cells = [workers, figure, `${expected.toFixed(1)}${unit}`, `${seen.toFixed(1)}${unit}`];
      console.log(`| ${[...cells, `${(100 * difference).toFixed(1)} %`].join(' | ')} |`);
    };
    row('windows per second', ({ windowsPerSecond }) => windowsPerSecond, '');
    row('mean wait of live windows', ({ live }) => live.mean, ' ms');
    row('mean wait of files’ windows', ({ files }) => files.mean, ' ms');
  }
  return isWithin;
};
