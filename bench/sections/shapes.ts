// Threads against processes: one long file and many short ones, on the shapes that the recognisers can take.
import { spawnSync } from 'node:child_process';
import type { ModelId } from '@faircopy/contract';
import { type Posted, postClips } from '../clients.ts';
import { clipsOfLength } from '../clips.ts';
import { megabytes, percentile, ratio } from '../figures.ts';
import { type ServerChild, type ServerOptions, startServer } from '../server-child.ts';
import { type Cell, markdownTable } from '../table.ts';
import { type Context, PATIENT, type Section, type Spoken } from './context.ts';

interface Shape extends ServerOptions {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
}

const shapeOf = (name: string, recognisers: number, threads: number): Shape => ({
  name,
  env: { FAIRCOPY_RECOGNISERS: String(recognisers), FAIRCOPY_RECOGNISER_THREADS: String(threads) },
});

const SHAPES: readonly Shape[] = [
  ...(spawnSync('taskset', ['--version']).status === 0
    ? [{ ...shapeOf('one process, one core', 1, 1), onlyCore: 0 }]
    : []),
  shapeOf('1 process × 2 threads', 1, 2),
  shapeOf('2 processes × 1 thread', 2, 1),
  shapeOf('2 processes × 2 threads', 2, 2),
  { name: 'the default', env: {} },
];
const SHORT_SECONDS_MAX = 11;
/** The machine's speed changes from minute to minute: the shapes take turns, and the middle one of their times counts. */
const TURNS_MAX = 3;

interface Run {
  readonly shape: Shape;
  readonly server: ServerChild;
  readonly long: Posted[];
  readonly short: Posted[];
}

const open = async (tier: ModelId, shape: Shape): Promise<Run> => {
  const env = { ...PATIENT, FAIRCOPY_MODELS: tier, ...shape.env };
  const server = await startServer('real', env, shape.onlyCore === undefined ? {} : { onlyCore: shape.onlyCore });
  return { shape, server, long: [], short: [] };
};

const middle = (posted: readonly Posted[], figure: (each: Posted) => number): number =>
  percentile(posted.map(figure), 0.5);

const measure = async (context: Context, tier: ModelId, { language, sentences }: Spoken) => {
  const longSeconds = Math.max(...context.lengths);
  const shortSeconds = Math.min(SHORT_SECONDS_MAX, longSeconds);
  const clients = Math.max(...context.clients);
  const runs: Run[] = [];
  try {
    for (const shape of SHAPES) runs.push(await open(tier, shape));
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
  const oneCore = runs.find(({ shape }) => shape.onlyCore !== undefined);
  const oneCoreSeconds = oneCore && middle(oneCore.long, wall);
  return runs.map(
    ({ shape, long, short }): Record<string, Cell> => ({
      tier,
      language,
      recognisers: shape.name,
      [`${longSeconds} s file, wall s`]: middle(long, wall).toFixed(2),
      '÷ one core': ratio(middle(long, wall), oneCoreSeconds),
      'audio s per s': (longSeconds / middle(long, wall)).toFixed(1),
      'CPU s/s': middle(long, cpu).toFixed(3),
      [`${clients} × ${shortSeconds} s, wall s`]: middle(short, wall).toFixed(2),
      'p50 ms': Math.round(
        percentile(
          short.flatMap(({ answerMs }) => answerMs),
          0.5,
        ),
      ),
      'short CPU s/s': middle(short, cpu).toFixed(3),
      'RSS MB': megabytes(short.at(-1)!.cost.rssBytes),
      failed: [...long, ...short].flatMap(({ failures }) => failures).length,
    }),
  );
};

export const shapes: Section = {
  title: 'Threads and processes',
  about:
    `One file of the longest length asked for, then as many clients as asked for with a clip of ${SHORT_SECONDS_MAX} s each; ` +
    `the shapes take turns, up to ${TURNS_MAX} times, and the middle of the times is shown. Threads are those of an ` +
    'encoder. The first row of a tier has the whole service on one core: the target is a wall time of at most 0.6 of it.',
  async run(context) {
    const rows: Record<string, Cell>[] = [];
    for (const tier of context.tiers) {
      for (const spoken of context.languages) {
        const measured = await measure(context, tier, spoken);
        for (const row of measured) context.say(JSON.stringify(row));
        rows.push(...measured);
      }
    }
    if (rows.some(({ failed }) => failed !== 0)) process.exitCode = 1;
    return markdownTable(rows);
  },
};
