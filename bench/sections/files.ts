// File mode over HTTP beside its floor: by tier, language, length of the clip and number of clients.
import { availableParallelism } from 'node:os';
import type { ModelId } from '@faircopy/contract';
import { type Posted, postClips } from '../clients.ts';
import { type Clip, clipsOfLength, RATE_HZ } from '../clips.ts';
import { megabytes, percentile, ratio, sum } from '../figures.ts';
import { type Floor, floorOf, openRaws, type Raw } from '../floor.ts';
import { type ServerChild, startServer } from '../server-child.ts';
import { type Cell, markdownTable } from '../table.ts';
import { type Context, PATIENT, type Section } from './context.ts';

/** Above this a clip is sent once by each client. */
const SHORT_SECONDS = 30;
/**
 * The machine's speed changes with its other guests: floor and service take turns, so that both have good and bad moments.
 * Longer clips have enough of both in one turn.
 */
const TURNS_MAX = 3;
const TURNS_SECONDS_MAX = 11;

const measureLength = async (
  context: Context,
  tier: ModelId,
  clips: readonly Clip[],
  { raws, server }: { readonly raws: readonly Raw[]; readonly server: ServerChild },
): Promise<Record<string, Cell>[]> => {
  const seconds = clips[0]!.samples.length / RATE_HZ;
  const { language } = clips[0]!;
  const rows: Record<string, Cell>[] = [];
  for (const clients of context.clients) {
    const isShort = seconds <= SHORT_SECONDS;
    const sent = clips.slice(0, isShort ? Math.max(clients, context.rounds) : clients);
    const atWork = raws.slice(0, clients);
    // Long clips are the same speech from other places on: one for each process tells what all of them take.
    const measured = isShort ? sent : sent.slice(0, atWork.length);
    const floors = [await floorOf(atWork, tier, measured)];
    const posted: Posted[] = [];
    const turns = seconds <= TURNS_SECONDS_MAX ? Math.min(TURNS_MAX, context.rounds) : 1;
    while (posted.length < turns) {
      posted.push(await postClips(server, tier, sent, clients));
      floors.push(await floorOf(atWork, tier, measured));
    }
    const total = (figure: (each: Posted) => number) => sum(posted.map(figure));
    const audioSeconds = total((each) => each.audioSeconds);
    const wallSeconds = total((each) => each.wallSeconds);
    const cpu = total(({ cost }) => cost.cpuSeconds) / audioSeconds;
    const answerMs = posted.flatMap((each) => each.answerMs);
    const floor = (figure: keyof Floor) => sum(floors.map((each) => each[figure])) / floors.length;
    rows.push({
      tier,
      language,
      'clip s': seconds,
      clients,
      requests: sent.length * turns,
      'wall s/s': (wallSeconds / audioSeconds).toFixed(3),
      'audio s per wall s': (audioSeconds / wallSeconds).toFixed(1),
      'p50 ms': Math.round(percentile(answerMs, 0.5)),
      'p95 ms': Math.round(percentile(answerMs, 0.95)),
      'CPU s/s': cpu.toFixed(3),
      'raw wall s/s': floor('wall').toFixed(3),
      'raw CPU s/s': floor('cpu').toFixed(3),
      'CPU ÷ raw': ratio(cpu, floor('cpu')),
      'CPU ÷ own calls': ratio(
        cpu * audioSeconds,
        total(({ callSeconds }) => callSeconds),
      ),
      'RSS MB': megabytes(posted.at(-1)!.cost.rssBytes),
      failed: total(({ failures }) => failures.length),
    });
    context.say(JSON.stringify(rows.at(-1)));
  }
  return rows;
};

export const files: Section = {
  title: 'File mode over HTTP, and its floor',
  about:
    'A `faircopy serve` of its own on a free port, wav files posted by clients of this process. CPU and RSS are those of ' +
    'the whole process tree of the service. *Raw* is the floor: the same clips through the same planning and models with ' +
    'as many threads, counting only the calls of the recognition models (`session.run`); the voice model, features, text ' +
    'and everything else are not in it; it is taken before and after each turn, and the mean counts. For one client it is one process ' +
    'alone, for several as many side by side as the service has recognisers, since calls at the same time slow each other ' +
    'down whoever makes them. *Own calls* are the calls that the service itself made in the same seconds, counted in its ' +
    'recognisers: what the service takes besides, and the counting itself, two readings of the CPU clock a call. `s/s` is per ' +
    'second of audio.',
  async run(context) {
    const tables: string[] = [];
    const countMax = Math.max(context.rounds, ...context.clients);
    for (const tier of context.tiers) {
      const rows: Record<string, Cell>[] = [];
      const raws = await openRaws(tier);
      try {
        const server = await startServer('real', { ...PATIENT, FAIRCOPY_MODELS: tier }, { countsCalls: true });
        try {
          for (const { sentences } of context.languages) {
            await postClips(server, tier, clipsOfLength(sentences, 3, 1), 1);
            for (const seconds of context.lengths) {
              const clips = clipsOfLength(sentences, seconds, countMax);
              rows.push(...(await measureLength(context, tier, clips, { raws, server })));
            }
          }
        } finally {
          await server.stop();
        }
      } finally {
        for (const raw of raws) await raw.stop();
      }
      tables.push(markdownTable(rows));
      if (rows.some(({ failed }) => failed !== 0)) process.exitCode = 1;
    }
    return [`${availableParallelism()} cores.`, ...tables].join('\n\n');
  },
};
