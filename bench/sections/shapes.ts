// Threads against processes: one long file and many short ones, on the shapes that the recognisers can take.
import { spawnSync } from 'node:child_process';
import { postClips } from '../clients.ts';
import { clipsOfLength } from '../clips.ts';
import { megabytes, percentile, ratio } from '../figures.ts';
import { type ServerOptions, startServer } from '../server-child.ts';
import { type Cell, markdownTable } from '../table.ts';
import { PATIENT, type Section } from './context.ts';

interface Shape extends ServerOptions {
  readonly name: string;
  readonly recognisers: number;
  readonly threads: number;
}

const ONE_CORE: Shape = { name: '1 process × 1 thread, one core', recognisers: 1, threads: 1, onlyCore: 0 };
const SHAPES: readonly Shape[] = [
  ...(spawnSync('taskset', ['--version']).status === 0 ? [ONE_CORE] : []),
  { name: '1 process × 2 threads', recognisers: 1, threads: 2 },
  { name: '2 processes × 1 thread', recognisers: 2, threads: 1 },
];
const SHORT_SECONDS_MAX = 11;

export const shapes: Section = {
  title: 'Threads and processes',
  about:
    `One file of the longest length asked for, then as many clients as asked for with a clip of ${SHORT_SECONDS_MAX} s each. ` +
    'The first row of a tier has the whole service on one core: the target is a wall time of at most 0.6 of it.',
  async run(context) {
    const rows: Record<string, Cell>[] = [];
    const longSeconds = Math.max(...context.lengths);
    const shortSeconds = Math.min(SHORT_SECONDS_MAX, longSeconds);
    const clients = Math.max(...context.clients);
    for (const tier of context.tiers) {
      for (const { language, sentences } of context.languages) {
        let oneCoreSeconds: number | undefined;
        for (const { name, recognisers, threads, onlyCore } of SHAPES) {
          const env = {
            ...PATIENT,
            FAIRCOPY_MODELS: tier,
            FAIRCOPY_RECOGNISERS: String(recognisers),
            FAIRCOPY_RECOGNISER_THREADS: String(threads),
          };
          const server = await startServer('real', env, onlyCore === undefined ? {} : { onlyCore });
          try {
            await postClips(server, tier, clipsOfLength(sentences, 3, 1), 1);
            const long = await postClips(server, tier, clipsOfLength(sentences, longSeconds, 1), 1);
            const short = await postClips(server, tier, clipsOfLength(sentences, shortSeconds, clients), clients);
            if (onlyCore !== undefined) oneCoreSeconds = long.wallSeconds;
            rows.push({
              tier,
              language,
              recognisers: name,
              [`${longSeconds} s file, wall s`]: long.wallSeconds.toFixed(2),
              '÷ one core': ratio(long.wallSeconds, oneCoreSeconds),
              'CPU s/s': (long.cost.cpuSeconds / long.audioSeconds).toFixed(3),
              [`${clients} × ${shortSeconds} s, wall s`]: short.wallSeconds.toFixed(2),
              'p50 ms': Math.round(percentile(short.answerMs, 0.5)),
              'short CPU s/s': (short.cost.cpuSeconds / short.audioSeconds).toFixed(3),
              'RSS MB': megabytes(short.cost.rssBytes),
              failed: long.failures.length + short.failures.length,
            });
            context.say(JSON.stringify(rows.at(-1)));
          } finally {
            await server.stop();
          }
        }
      }
    }
    if (rows.some(({ failed }) => failed !== 0)) process.exitCode = 1;
    return markdownTable(rows);
  },
};
