// Runs a long mixed load, then checks for leaks: memory growth, descriptors, timers, voice probes and stream leases.
import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, type MemorySample, slopeMbPerMinute } from '../overload/figures.ts';
import { type LoadServer, startLoadServer } from '../overload/load-server.ts';
import { closeIdleConnections, sendStream } from '../overload/requests.ts';
import type { ServerState } from '../overload/server-process.ts';
import { type LoadCounts, mixedLoad } from './load.ts';

const ACCOUNTS = 6;
/** Ignored while caches and pools fill: the first half hour, or the first third of a shorter run. */
const WARM_MINUTES_MAX = 30;
const SAMPLE_MS = 5_000;
const SETTLE_MS_MAX = 60_000;
/** Descriptors and timers that the runtime itself may add. */
const RESOURCES_SLACK = 3;

const timersOf = ({ resources }: ServerState): number => resources.Timeout ?? 0;

const isSettled = (before: ServerState, after: ServerState): boolean =>
  after.leases === 0 &&
  after.openProbes === 0 &&
  after.descriptors <= before.descriptors + RESOURCES_SLACK &&
  timersOf(after) <= timersOf(before) + RESOURCES_SLACK;

/** Lists the kinds of descriptors whose number grew, to identify a leak. */
const moreDescriptors = (before: ServerState, after: ServerState): string =>
  Object.entries(after.descriptorKinds)
    .map(([kind, count]) => [kind, count - (before.descriptorKinds[kind] ?? 0)] as const)
    .filter(([, more]) => more > 0)
    .map(([kind, more]) => `${more} ${kind}`)
    .join(', ');

/** Compares the resources after all callers have left, once they settle. */
const leftOver = async (server: LoadServer, before: ServerState): Promise<Figure[]> => {
  closeIdleConnections();
  let after = await server.state();
  for (const deadline = Date.now() + SETTLE_MS_MAX; !isSettled(before, after) && Date.now() < deadline; ) {
    await wait(1_000);
    after = await server.state();
  }
  const more = moreDescriptors(before, after);
  if (more) console.log(`more descriptors than at the start: ${more}`);
  const figure = (what: string, was: number, is: number, slack: number): Figure => ({
    what: `${what} left`,
    value: `${is} (${was} at the start)`,
    target: `at most ${was + slack}`,
    met: is <= was + slack,
  });
  return [
    figure('descriptors', before.descriptors, after.descriptors, RESOURCES_SLACK),
    figure('timers', timersOf(before), timersOf(after), RESOURCES_SLACK),
    figure('stream leases', 0, after.leases, 0),
    figure('voice probes', 0, after.openProbes, 0),
  ];
};

const WARM_UP_MS = 15_000;

/** Uses every part, so that permanent resources such as threads and database connections are open. */
const warmUp = async (server: LoadServer): Promise<void> => {
  const startMs = performance.now();
  const counts: LoadCounts = { byKind: new Map(), statuses: new Map() };
  const goesOn = () => performance.now() - startMs < WARM_UP_MS;
  await Promise.all(server.keys.map((key, nth) => mixedLoad(server, key, nth, goesOn, counts)));
  closeIdleConnections();
  await wait(500);
};

export const soak = async (minutes: number, seed: number): Promise<readonly Figure[]> => {
  const server = await startLoadServer({ accounts: ACCOUNTS });
  try {
    await warmUp(server);
    const before = await server.state();
    const counts: LoadCounts = { byKind: new Map(), statuses: new Map() };
    const own: MemorySample[] = [];
    const heap: MemorySample[] = [];
    const children: MemorySample[] = [];
    const startMs = performance.now();
    const goesOn = () => performance.now() - startMs < minutes * 60_000;
    const watch = setInterval(() => {
      void server.state().then(({ rssBytes, heapBytes, childBytes }) => {
        const atMs = performance.now();
        own.push({ atMs, bytes: rssBytes });
        heap.push({ atMs, bytes: heapBytes });
        children.push({ atMs, bytes: childBytes });
      });
    }, SAMPLE_MS);
    await Promise.all(server.keys.map((key, nth) => mixedLoad(server, key, seed + nth, goesOn, counts)));
    clearInterval(watch);
    const warmMs = startMs + Math.min(WARM_MINUTES_MAX, minutes / 3) * 60_000;
    const slope = (what: string, samples: readonly MemorySample[]): Figure => {
      const after = samples.filter(({ atMs }) => atMs >= warmMs);
      const value = slopeMbPerMinute(after);
      const [first, last] = [after[0]?.bytes ?? 0, after.at(-1)?.bytes ?? 0].map((bytes) =>
        (bytes / 2 ** 20).toFixed(0),
      );
      return {
        what: `memory of ${what}, ${after.length} samples`,
        value: `${value.toFixed(2)} MB/min (${first} to ${last} MB)`,
        target: 'below 1 MB/min',
        met: value < 1,
      };
    };
    const broken = counts.statuses.get(500) ?? 0;
    console.log(`requests: ${JSON.stringify(Object.fromEntries(counts.byKind))}`);
    console.log(`answers by status (0: the caller left): ${JSON.stringify(Object.fromEntries(counts.statuses))}`);
    return [
      slope('the server', own),
      slope("the server's heap after collection", heap),
      slope('recognisers and voice process', children),
      ...(await leftOver(server, before)),
      { what: 'internal errors', value: String(broken), target: '0', met: broken === 0 },
    ];
  } finally {
    await server.close();
  }
};

const CYCLE_CLIENTS = 8;

/** Opens, uses and closes streams in four ways, and checks that nothing is left. */
export const streamCycles = async (cycles: number): Promise<readonly Figure[]> => {
  const compute = { slots: 8, windowMs: 1, audioSecondMs: 1 };
  const server = await startLoadServer({ accounts: 2, compute });
  try {
    await warmUp(server);
    const before = await server.state();
    let begun = 0;
    const statuses = new Map<number, number>();
    const client = async (key: string): Promise<void> => {
      while (begun < cycles) {
        const nth = begun++;
        const { status } = await sendStream(server, key, {
          seconds: nth % 3 === 0 ? 0.3 : 0,
          pace: 'at once',
          leaves: nth % 4 === 0,
        });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: CYCLE_CLIENTS }, (_, nth) => client(server.keys[nth % 2]!)));
    console.log(
      `${begun} streams, answers by status (0: the caller left): ${JSON.stringify(Object.fromEntries(statuses))}`,
    );
    const refused = statuses.get(429) ?? 0;
    return [
      ...(await leftOver(server, before)),
      { what: 'streams refused for lack of a slot', value: String(refused), target: '0', met: refused === 0 },
    ];
  } finally {
    await server.close();
  }
};
