// Runs one plan in virtual time and returns what was measured.
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

/** The same plan gives the same figures. `script` schedules what happens besides the load. */
export const simulate = async (plan: Plan, script: Script = () => {}): Promise<Run> => {
  const time = new VirtualTime();
  const random = seededRandom(plan.seed);
  const nats = new SimulatedNats(time, plan.natsServers);
  const figures = new Figures();
  let ids = 0;
  const newId = () => (++ids).toString(36).padStart(22, '0');
  const connect = nats.connect.bind(nats);
  const world = { version: '1.0.0', time, connect, samplesPerSecond: SAMPLES_PER_SECOND, random, figures, newId };
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
