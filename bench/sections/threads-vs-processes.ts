// Threads against processes: one long file and many short ones, on several layouts of the recogniser pool.
import { spawnSync } from 'node:child_process';
import type { ModelId } from '@faircopy/contract';
import { type Posted, postClips } from '../clients.ts';
import { clipsOfLength } from '../clips.ts';
import { type Cell, markdownTable } from '../markdown-table.ts';
import { type ServerOptions, type ServerProcess, startServer } from '../server-process.ts';
import { megabytes, percentile, ratio } from '../statistics.ts';
import { type Context, type LanguageSpeech, NO_TIMEOUTS, type Section } from './section.ts';

interface PoolLayout extends ServerOptions {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
}

const layoutOf = (name: string, recognisers: number, threads: number): PoolLayout => ({
  name,
  env: { FAIRCOPY_RECOGNISERS: String(recognisers), FAIRCOPY_RECOGNISER_THREADS: String(threads) },
});

const LAYOUTS: readonly PoolLayout[] = [
  ...(spawnSync('taskset', ['--version']).status === 0
    ? [{ ...layoutOf('one process, one core', 1, 1), onlyCore: 0 }]
    : []),
  layoutOf('1 process × 2 threads', 1, 2),
  layoutOf('2 processes × 1 thread', 2, 1),
  layoutOf('2 processes × 2 threads', 2, 2),
  { name: 'the default', env: {} },
];
const SHORT_SECONDS_MAX = 11;
/** The speed of a shared machine changes: the layouts take turns, and the median counts. */
const TURNS_MAX = 3;

interface Run {
  readonly layout: PoolLayout;
  readonly server: ServerProcess;
  readonly long: Posted[];
  readonly short: Posted[];
}

const open = async (tier: ModelId, layout: PoolLayout): Promise<Run> => {
  const env = { ...NO_TIMEOUTS, FAIRCOPY_MODELS: tier, ...layout.env };
  const server = await startServer('real', env, layout.onlyCore === undefined ? {} : { onlyCore: layout.onlyCore });
  return { layout, server, long: [], short: [] };
};

const median = (posted: readonly Posted[], figure: (each: Posted) => number): number =>
  percentile(posted.map(figure), 0.5);

const measure = async (context: Context, tier: ModelId, { language, sentences }: LanguageSpeech) => {
  const longSeconds = Math.max(...context.lengths);
  const shortSeconds = Math.min(SHORT_SECONDS_MAX, longSeconds);
  const clients = Math.max(...context.clients);
  const runs: Run[] = [];
  try {
    for (const layout of LAYOUTS) runs.push(await open(tier, layout));
    for (const { server } of runs) await postClips(server, tier, clipsOfLength(sentences, 3, 1), 1);
    for (let turn = 0; turn < Math.max(1, Math.min(TURNS_MAX, context.rounds)); turn++) {
      for (const { server, long, short } of runs) {
        long.push(await postClips(server, tier, clipsOfLength(sentences, longSeconds, 1), 1));
        short.push(await postClips(server, tier, clipsOfLength(sentences, shortSeconds, clients), clients));
      }
    }
  } finally {
    for (const { server } of runs) await server.stop();
  }
  const wall = ({ wallSeconds }: Posted) => wallSeconds;
  const cpu = ({ cost, audioSeconds }: Posted) => cost.cpuSeconds / audioSeconds;
  const oneCore = runs.find(({ layout }) => layout.onlyCore !== undefined);
  const oneCoreSeconds = oneCore && median(oneCore.long, wall);
  return runs.map(
    ({ layout, long, short }): Record<string, Cell> => ({
      tier,
      language,
      recognisers: layout.name,
      [`${longSeconds} s file, wall s`]: median(long, wall).toFixed(2),
      '÷ one core': ratio(median(long, wall), oneCoreSeconds),
      'audio s per s': (longSeconds / median(long, wall)).toFixed(1),
      'CPU s/s': median(long, cpu).toFixed(3),
      [`${clients} × ${shortSeconds} s, wall s`]: median(short, wall).toFixed(2),
      'p50 ms': Math.round(
        percentile(
          short.flatMap(({ latencyMs }) => latencyMs),
          0.5,
        ),
      ),
      'short CPU s/s': median(short, cpu).toFixed(3),
      'RSS MB': megabytes(short.at(-1)!.cost.rssBytes),
      failed: [...long, ...short].flatMap(({ failures }) => failures).length,
    }),
  );
};

export const threadsVsProcesses: Section = {
  title: 'Threads against processes',
  about:
    `One file of the longest length asked for, then as many clients as asked for with a clip of ${SHORT_SECONDS_MAX} s each; ` +
    `the layouts take turns, up to ${TURNS_MAX} times, and the median is shown. Threads are those of an ` +
    'encoder. The first row of a tier has the whole service on one core: the target is a wall time of at most 0.6 of it.',
  async run(context) {
    const rows: Record<string, Cell>[] = [];
    for (const tier of context.tiers) {
      for (const speech of context.languages) {
        const measured = await measure(context, tier, speech);
        for (const row of measured) context.log(JSON.stringify(row));
        rows.push(...measured);
      }
    }
    if (rows.some(({ failed }) => failed !== 0)) process.exitCode = 1;
    return markdownTable(rows);
  },
};
