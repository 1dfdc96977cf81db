// Benchmarks workers over NATS, in cost, scaling and waits: `npm run bench:workers -- [section …] [--short]`.
import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '../../src/cluster/messages.ts';
import { startOwnNats } from '../../src/cluster/testing/own-nats.ts';
import { freePort } from '../../src/lib/net/testing/free-port.ts';
import { windowOf } from '../../src/speech/testing/recogniser-fixtures.ts';
import { percentile } from '../overload/figures.ts';
import { measureStreams } from './gateway-streams.ts';
import { overhead, overheadOfModels } from './worker-overhead.ts';
import {
  endChild,
  type Gateway,
  killChildren,
  openGateway,
  samplesOf,
  shown,
  startChild,
  TIER,
  table,
} from './worker-parts.ts';

/** Keeps this many windows waiting, and counts those answered within the time. */
const throughput = async ({ scheduler }: Gateway, waiting: number, seconds: number, audioSeconds: number) => {
  const samples = samplesOf(audioSeconds);
  let isOver = false;
  let done = 0;
  const feed = async (nth: number): Promise<void> => {
    while (!isOver) {
      const requestId = `r${nth}`;
      const { result } = scheduler.submit({
        accountId: `a${nth % 7}`,
        requestId,
        urgency: 'steady',
        tier: TIER,
        audioSamples: samples.length,
        window: () => windowOf({ requestId, tier: TIER, samples }),
      });
      await result;
      if (!isOver) done += 1;
    }
  };
  const feeds = Array.from({ length: waiting }, (_, nth) => feed(nth));
  await wait(1_000);
  done = 0;
  const startedMs = performance.now();
  const before = process.cpuUsage();
  await wait(1000 * seconds);
  const perSecond = done / ((performance.now() - startedMs) / 1000);
  const { user, system } = process.cpuUsage(before);
  isOver = true;
  const cpuMs = (user + system) / 1000 / Math.max(1, done);
  await Promise.all(feeds);
  return { perSecond, cpuMs };
};

const scaling = async (url: string, seconds: number): Promise<void> => {
  const windowMs = 1_000;
  const rows: (string | number)[][] = [];
  let single = 0;
  for (const workers of [1, 2, 4, 8, 16, 32]) {
    const hosts = await Promise.all(
      Array.from({ length: Math.min(2, workers) }, () =>
        startChild('./worker-host.js', { url, windowMs, workers: workers > 1 ? workers / 2 : 1 }),
      ),
    );
    const gateway = await openGateway(url, 'scaling');
    await gateway.untilWorkers(workers);
    const { perSecond, cpuMs } = await throughput(gateway, 2 * workers + 2, seconds, 10);
    if (workers === 1) single = perSecond;
    rows.push([workers, shown(perSecond, 2), shown(perSecond / (single * workers), 3), shown(cpuMs, 2)]);
    await gateway.close();
    await Promise.all(hosts.map(endChild));
  }
  console.log(`\n## Throughput by workers (1 slot each, ${windowMs} ms a window of 10 s, ${seconds} s each)`);
  table('workers | windows/s | share of linear | CPU ms of the gateway per window', rows);
};

const clipBesideFile = async (url: string, clips: number): Promise<void> => {
  const windowMs = 500;
  const host = await startChild('./worker-host.js', { url, windowMs, workers: 2 });
  const gateway = await openGateway(url, 'clips');
  await gateway.untilWorkers(2);
  const submit = (accountId: string, seconds: number, urgency: 'steady' | 'final') => {
    const samples = samplesOf(seconds);
    const requestId = `${accountId}-${newId()}`;
    const window = () => windowOf({ requestId, tier: TIER, samples });
    const audioSamples = samples.length;
    return gateway.scheduler.submit({ accountId, requestId, urgency, tier: TIER, audioSamples, window }).result;
  };
  const waits: number[] = [];
  for (let nth = 0; nth < clips; nth++) {
    // 300 s are 15 windows of 20 s.
    const file = Array.from({ length: 15 }, () => submit('file', 20, 'steady'));
    await wait(200 + 137 * (nth % 10));
    const startedMs = performance.now();
    await submit('clip', 3, 'final');
    waits.push(performance.now() - startedMs - windowMs);
    await Promise.all(file);
  }
  console.log(`\n## A clip of 3 s while a file of 300 s runs (2 workers, ${windowMs} ms a window, ${clips} clips)`);
  table('wait | ms', [
    ['p50', shown(percentile(waits, 0.5))],
    ['longest', shown(Math.max(...waits))],
    ['one window', windowMs],
  ]);
  await gateway.close();
  await endChild(host);
};

const fairness = async (url: string, seconds: number): Promise<void> => {
  const host = await startChild('./worker-host.js', { url, windowMs: 200, workers: 5 });
  const gateways = [await openGateway(url, 'calm'), await openGateway(url, 'busy')];
  for (const gateway of gateways) await gateway.untilWorkers(5);
  // Ten times as many windows wait at the busy gateway.
  const [calm, busy] = await Promise.all([
    throughput(gateways[0]!, 10, seconds, 5),
    throughput(gateways[1]!, 100, seconds, 5),
  ]);
  console.log(`\n## Two gateways, one with ten times as much waiting (5 workers, ${seconds} s)`);
  table('gateway | windows/s', [
    ['10 windows waiting', shown(calm.perSecond, 2)],
    ['100 windows waiting', shown(busy.perSecond, 2)],
    ['ratio', shown(calm.perSecond / busy.perSecond, 3)],
  ]);
  for (const gateway of gateways) await gateway.close();
  await endChild(host);
};

const streamCosts = async (url: string, natsBytes: () => Promise<number>, streams: number): Promise<void> => {
  const host = await startChild('./worker-host.js', { url, windowMs: 300, workers: 16 });
  const costs = await measureStreams(url, natsBytes, { streams, seconds: 20 });
  console.log(`\n## ${streams} live streams on a gateway (20 s of speech each, 16 workers of 300 ms a window)`);
  table('of each stream | per second', [
    ['CPU of the gateway, without the voice model', `${shown(costs.cpuMs, 2)} ms`],
    ['windows', shown(costs.windowsPerSecond / streams, 3)],
    ['bytes into NATS', `${shown(costs.natsKilobytesPerSecond / streams, 1)} kB`],
  ]);
  console.log(`\nStreams with a result: ${costs.results} of ${streams}.`);
  await endChild(host);
};

const monitorPort = await freePort();
const nats = await startOwnNats({ settings: `http: "127.0.0.1:${monitorPort}"` });
const natsBytes = async (): Promise<number> => {
  const figures = await (await fetch(`http://127.0.0.1:${monitorPort}/varz`)).json();
  return (figures as { in_bytes: number }).in_bytes;
};
const isShort = process.argv.includes('--short');
const sections: Record<string, () => Promise<void>> = {
  overhead: () => overhead(nats.url, isShort ? 20 : 200),
  models: () => overheadOfModels(nats.url, isShort ? 2 : 20),
  scaling: () => scaling(nats.url, isShort ? 3 : 10),
  clips: () => clipBesideFile(nats.url, isShort ? 3 : 12),
  fairness: () => fairness(nats.url, isShort ? 4 : 15),
  streams: () => streamCosts(nats.url, natsBytes, isShort ? 10 : 40),
};
const wanted = process.argv.slice(2).filter((word) => word in sections);
try {
  for (const [name, section] of Object.entries(sections))
    if (wanted.length === 0 || wanted.includes(name)) await section();
} finally {
  killChildren();
  await nats.close();
}
process.exit(0);
