// The named scenarios: sizes, loads and faults.
import type { Plan } from './plan.ts';
import type { Script } from './simulate.ts';

export interface Scenario {
  readonly about: string;
  readonly plan?: Partial<Plan>;
  readonly script?: Script;
  /** Seconds after the warm-up at which a fault begins; the report then includes the recovery time. */
  readonly faultAfterSeconds?: number;
}

const ONE_NATS: Partial<Plan> = { natsServers: 1 };
const FAULT_AFTER_SECONDS = 30;
const at =
  (afterSeconds: number, script: Script): Script =>
  (run) =>
    run.time.after(1_000 * (run.plan.warmUpSeconds + afterSeconds), () => script(run));

/** A smaller cluster is enough for faults; gateways have as many streams as they can hold. */
const SMALLER: Partial<Plan> = { workers: 24, slots: 4, gateways: 6, streams: 500, accounts: 30 };
/** One slot and one stream represent sixteen, to simulate hours of a large cluster in minutes. */
const COARSE: Partial<Plan> = { slots: 1, windowSeconds: 30 };
/** No streams; every account always has more files than its share. */
const CROWDED: Partial<Plan> = { ...COARSE, workers: 20, gateways: 2, accounts: 10, streams: 0, fileLoad: 0 };

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  one: {
    about: 'one worker',
    plan: { ...ONE_NATS, workers: 1, gateways: 1, streams: 100, accounts: 10, seconds: 120 },
  },
  ten: { about: 'ten workers', plan: { ...ONE_NATS, workers: 10, gateways: 2, streams: 1_000, accounts: 20 } },
  hundred: { about: 'a hundred workers', plan: { workers: 100, gateways: 10, streams: 10_000, seconds: 20 } },
  full: { about: '1,000 workers, 50 gateways, 100,000 live streams', plan: { seconds: 5, warmUpSeconds: 18 } },
  hour: {
    about: 'an hour of 1,000 workers; one slot and one stream represent sixteen',
    plan: { ...COARSE, gateways: 10, streams: 6_000, seconds: 3_600, warmUpSeconds: 60 },
  },
  day: {
    about: 'a day of files with bursts; one slot and one stream represent sixteen',
    plan: { ...COARSE, workers: 30, gateways: 3, streams: 100, accounts: 30, fileLoad: 0.5, seconds: 86_400 },
    script: ({ callers }) => {
      const hours = (second: number) => (second / 3_600) % 24;
      const isBurst = (second: number) => second % 7_200 < 300;
      callers.fileRate = (second) =>
        (1 - 0.8 * Math.cos((2 * Math.PI * hours(second)) / 24)) * (isBurst(second) ? 4 : 1);
    },
  },
  ramp: {
    about: 'more and more files, until something is refused',
    plan: { ...SMALLER, fileLoad: 0.3, seconds: 300 },
    script: ({ callers, plan }) => {
      callers.fileRate = (second) => 1 + Math.max(0, second - plan.warmUpSeconds) / 60;
    },
  },
  loss: {
    about: 'a fifth of the workers lose their power',
    plan: { ...SMALLER, fileLoad: 0.1, seconds: 90 },
    faultAfterSeconds: FAULT_AFTER_SECONDS,
    script: at(FAULT_AFTER_SECONDS, ({ fleet }) => fleet.fail(fleet.firstShare(fleet.workers, 0.2), null)),
  },
  gateways: {
    about: 'a fifth of the gateways lose their power and come back',
    plan: { ...SMALLER, fileLoad: 0.1, seconds: 90 },
    faultAfterSeconds: FAULT_AFTER_SECONDS,
    script: at(FAULT_AFTER_SECONDS, ({ fleet }) => fleet.fail(fleet.firstShare(fleet.gateways, 0.2), 20_000)),
  },
  outage: {
    about: 'NATS is down for 20 s, then all machines reconnect at once',
    plan: { ...SMALLER, fileLoad: 0.1, seconds: 120 },
    faultAfterSeconds: FAULT_AFTER_SECONDS,
    script: at(FAULT_AFTER_SECONDS, ({ nats, random }) => nats.fail(20_000, random)),
  },
  herd: {
    about: 'all gateways restart, and all callers come back at once',
    plan: { ...SMALLER, fileLoad: 0.1, seconds: 120 },
    faultAfterSeconds: FAULT_AFTER_SECONDS,
    script: at(FAULT_AFTER_SECONDS, ({ fleet }) => fleet.fail(fleet.gateways, 5_000)),
  },
  upgrade: {
    about: 'all machines are upgraded one by one in four minutes',
    plan: { ...SMALLER, fileLoad: 0.1, seconds: 300 },
    script: at(10, ({ fleet }) => fleet.upgrade(240)),
  },
  slow: {
    about: 'half of the workers are 20 ms away on 200 Mbit/s',
    plan: { ...SMALLER, slowLinks: 0.5 },
  },
  crowded: {
    about: 'an hour in which ten accounts demand more than the capacity',
    plan: { ...CROWDED, filesPerAccount: 20, seconds: 3_600, warmUpSeconds: 300 },
  },
  greedy: {
    about: 'the same, with one more account that demands ten times as much as each of the others',
    plan: { ...CROWDED, filesPerAccount: 20, greedyFiles: 200, seconds: 3_600, warmUpSeconds: 300 },
  },
};
