// Twenty accounts of different sizes send ten times the machine's capacity for minutes, and obey Retry-After.
import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, type MemorySample, mean, percentile, slopeMbPerMinute, spread } from './figures.ts';
import { type LoadServer, startLoadServer } from './load-server.ts';
import { type Outcome, sendFile, sendStream, uploadOf } from './requests.ts';

const COMPUTE = { slots: 4, windowMs: 150, audioSecondMs: 60 };
/** Lengths of files in seconds: mostly short, a few long. Every client sends them in this order. */
const FILE_SECONDS = [3, 20, 3, 3, 60, 3, 20, 3] as const;
const STREAM_SECONDS = 4;
const QUIET_ROUNDS = 3;
const TRIES_MAX = 6;

type Kind = '3 s file' | '20 s file' | '60 s file' | 'stream';
type Send = (nth: number) => Promise<Outcome & { readonly kind: Kind; readonly audioSeconds: number }>;

interface Account {
  readonly key: string;
  readonly size: number;
  readonly sends: readonly Send[];
  audioSeconds: number;
}

interface Accepted {
  readonly kind: Kind;
  readonly ms: number;
  /** Which attempt succeeded, from 1. */
  readonly tries: number;
}

/** Clients per account: forty in total, while the machine recognises four windows at the same time. */
const SIZES = [...Array<number>(8).fill(1), ...Array<number>(8).fill(2), ...Array<number>(4).fill(4)];

const fileSender =
  (server: LoadServer, key: string): Send =>
  async (nth) => {
    const seconds = FILE_SECONDS[nth % FILE_SECONDS.length]!;
    return {
      ...(await sendFile(server, key, uploadOf(seconds))),
      kind: `${seconds} s file`,
      audioSeconds: seconds,
    };
  };
const streamSender =
  (server: LoadServer, key: string): Send =>
  async () => ({
    ...(await sendStream(server, key, { seconds: STREAM_SECONDS, pace: 'live' })),
    kind: 'stream',
    audioSeconds: STREAM_SECONDS,
  });

/** Measures the same requests one at a time. */
const measureQuiet = async (server: LoadServer): Promise<Accepted[]> => {
  const key = server.keys[0]!;
  const accepted: Accepted[] = [];
  const sends = [...FILE_SECONDS.map(() => fileSender(server, key)), streamSender(server, key)];
  for (let round = 0; round < QUIET_ROUNDS; round++)
    for (const [nth, send] of sends.entries()) {
      const { kind, ms, status } = await send(nth);
      if (status !== 200) throw new Error(`an idle server answered ${status}`);
      accepted.push({ kind, ms, tries: 1 });
    }
  return accepted;
};

export interface CrowdReport {
  readonly figures: readonly Figure[];
  readonly byKind: readonly string[];
}

export const crowd = async (minutes: number, env: Readonly<Record<string, string>> = {}): Promise<CrowdReport> => {
  const server = await startLoadServer({ accounts: SIZES.length, compute: COMPUTE }, env);
  try {
    return await measure(server, minutes);
  } finally {
    await server.close();
  }
};

const measure = async (server: LoadServer, minutes: number): Promise<CrowdReport> => {
  const quiet = await measureQuiet(server);
  const accepted: Accepted[] = [];
  const refusalMs: number[] = [];
  const failures = new Map<number, number>();
  const memory: MemorySample[] = [];
  let givenUp = 0;
  const untilMs = performance.now() + minutes * 60_000;
  // Excludes the first moments, in which the server is not yet full.
  const fromMs = performance.now() + Math.min(20_000, minutes * 10_000);

  const accounts = server.keys.map((key, nth): Account => {
    const size = SIZES[nth]!;
    const sends = Array.from({ length: size }, (_, client) =>
      size === 2 && client === 1 ? streamSender(server, key) : fileSender(server, key),
    );
    return { key, size, sends, audioSeconds: 0 };
  });
  const client = async (account: Account, send: Send, first: number): Promise<void> => {
    for (let nth = first; performance.now() < untilMs; nth++) {
      for (let tries = 1; performance.now() < untilMs; tries++) {
        const { status, ms, kind, audioSeconds, retryAfterSeconds } = await send(nth);
        const counts = performance.now() > fromMs;
        if (status === 200) {
          if (counts) {
            accepted.push({ kind, ms, tries });
            account.audioSeconds += audioSeconds;
          }
          break;
        }
        if (status !== 503 && status !== 429) failures.set(status, (failures.get(status) ?? 0) + 1);
        else if (counts) refusalMs.push(ms);
        if (tries >= TRIES_MAX) {
          givenUp += 1;
          break;
        }
        // A caller who would retry after the end of the run does not count as refused.
        if (performance.now() + retryAfterSeconds * 1000 > untilMs) return;
        await wait(Math.max(1, retryAfterSeconds) * 1000);
      }
    }
  };
  const watch = setInterval(() => {
    void server.state().then(({ rssBytes }) => memory.push({ atMs: performance.now(), bytes: rssBytes }));
  }, 5_000);
  await Promise.all(accounts.flatMap((account) => account.sends.map((send, nth) => client(account, send, nth * 3))));
  clearInterval(watch);

  const msOf = (list: readonly Accepted[], kind?: Kind) =>
    list.filter((one) => kind === undefined || one.kind === kind).map(({ ms }) => ms);
  const ratio = percentile(msOf(accepted), 0.95) / percentile(msOf(quiet), 0.95);
  const refusedFirst = accepted.filter(({ tries }) => tries > 1);
  const atSecond = refusedFirst.filter(({ tries }) => tries === 2).length / Math.max(1, refusedFirst.length + givenUp);
  const spreads = [1, 2, 4].map((size) => ({
    size,
    spread: spread(accounts.filter((account) => account.size === size).map(({ audioSeconds }) => audioSeconds)),
  }));
  const slope = slopeMbPerMinute(memory.slice(Math.floor(memory.length / 3)));
  const other = [...failures].map(([status, count]) => `${count} × ${status}`).join(', ');
  const kinds: readonly Kind[] = ['3 s file', '20 s file', '60 s file', 'stream'];
  const seconds = (ms: number) => (ms / 1000).toFixed(2);
  return {
    figures: [
      {
        what: `p95 of ${accepted.length} accepted requests against ${quiet.length} quiet ones`,
        value: `${ratio.toFixed(2)} × ${seconds(percentile(msOf(quiet), 0.95))} s`,
        target: 'at most 1.5 ×',
        met: ratio <= 1.5,
      },
      {
        what: `p95 of ${refusalMs.length} refusals`,
        value: `${percentile(refusalMs, 0.95).toFixed(0)} ms`,
        target: 'at most 50 ms',
        met: !(percentile(refusalMs, 0.95) > 50),
      },
      {
        what: 'refused requests that were accepted at the second try',
        value: `${(100 * atSecond).toFixed(0)} %`,
        target: 'at least 90 %',
        met: atSecond >= 0.9,
      },
      ...spreads.map(({ size, spread: far }) => ({
        what: `audio served: accounts with ${size} clients, largest deviation from their mean`,
        value: `${(100 * far).toFixed(0)} %`,
        target: 'at most 10 %',
        met: far <= 0.1,
      })),
      {
        what: 'memory of the server',
        value: `${slope.toFixed(2)} MB/min`,
        target: 'flat (below 1)',
        met: slope < 1,
      },
      { what: 'other failures', value: other || 'none', target: 'none', met: failures.size === 0 },
    ],
    byKind: kinds.map((kind) => {
      const [calm, busy] = [msOf(quiet, kind), msOf(accepted, kind)];
      return (
        `${kind}: quiet p50 ${seconds(percentile(calm, 0.5))} p95 ${seconds(percentile(calm, 0.95))} s; ` +
        `crowded p50 ${seconds(percentile(busy, 0.5))} p95 ${seconds(percentile(busy, 0.95))} s, mean ${seconds(mean(busy))} s of ${busy.length}`
      );
    }),
  };
};
