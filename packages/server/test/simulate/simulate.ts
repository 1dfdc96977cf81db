// Runs a plan in virtual time and returns its figures.
import { seededRandom } from '../../src/lib/seeded-random.ts';
import { Callers } from './callers.ts';
import { Figures } from './figures.ts';
import { Fleet } from './fleet.ts';
import type { Plan, Random } from './plan.ts';
import { SAMPLES_PER_SECOND, SimulatedNats } from './simulated-nats.ts';
import { VirtualTime } from './virtual-time.ts';

export interface Run {
  readonly plan: Plan;
  readonly time: VirtualTime;
  readonly nats: SimulatedNats;
  readonly random: Random;
  readonly figures: Figures;
  readonly fleet: Fleet;
  readonly callers: Callers;
}

export type Script = (run: Run) => void;

/** Random numbers per caller: a caller does the same at the same time, whatever else happens. */
export const randomPerCaller =
  (seed: number) =>
  (caller: number): Random =>
    seededRandom(1_000_003 * seed + caller);

/** The same plan gives the same figures. `script` schedules faults and changes of the load. */
export const simulate = async (
  plan: Plan,
  script: Script = () => {},
  callerRandom?: (caller: number) => Random,
): Promise<Run> => {
  const time = new VirtualTime();
  const random = seededRandom(plan.seed);
  const randomOf = callerRandom ?? (() => random);
  const nats = new SimulatedNats(time, plan.natsServers);
  const figures = new Figures();
  let ids = 0;
  const newId = () => (++ids).toString(36).padStart(22, '0');
  const connect = nats.connect.bind(nats);
  const machines = { version: '1.0.0', connect, samplesPerSecond: SAMPLES_PER_SECOND, newId };
  const world = { ...machines, time, random, randomOf, figures };
  const fleet = new Fleet(world, plan);
  const callers = new Callers(world, plan, fleet);
  const run: Run = { plan, time, nats, random, figures, fleet, callers };
  fleet.start();
  callers.start();
  time.every(1_000, () => figures.slots(fleet.slots, time.monotonicMs()));
  time.after(1_000 * plan.warmUpSeconds, () => {
    figures.clear();
    nats.clear();
  });
  script(run);
  await time.run(1_000 * (plan.warmUpSeconds + plan.seconds));
  return run;
};
