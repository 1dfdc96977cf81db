// File mode over HTTP beside its floor: by tier, language, length of the clip and number of clients.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ModelId } from '@faircopy/contract';
import { poolShape } from '@faircopy/server/dist/src/speech/engine.js';
import { postClips } from '../clients.ts';
import { type Clip, clipsOfLength } from '../clips.ts';
import { megabytes, percentile, ratio } from '../figures.ts';
import { Helper } from '../helper.ts';
import type { RunCost } from '../model-runs.ts';
import type { RawAnswer, RawQuestion } from '../raw-child.ts';
import { type ServerChild, startServer } from '../server-child.ts';
import { type Cell, markdownTable } from '../table.ts';
import { type Context, PATIENT, type Section } from './context.ts';

const RAW_CHILD = fileURLToPath(new URL('../raw-child.js', import.meta.url));
/** Above this a clip is sent once by each client. */
const SHORT_SECONDS = 30;

type Raw = Helper<RawQuestion, RawAnswer>;

export const openRaw = async (tiers: readonly ModelId[]): Promise<{ raw: Raw; loads: RawAnswer }> => {
  const raw: Raw = new Helper(RAW_CHILD);
  try {
    const { threads } = poolShape({ recognisers: null, recogniserThreads: null });
    return {
      raw,
      loads: await raw.ask({ tiers, threads: Number(process.env.FAIRCOPY_RECOGNISER_THREADS ?? threads) }),
    };
  } catch (cause) {
    await raw.stop();
    throw cause;
  }
};

/** What the model calls take for these clips, one after the other. */
const floorOf = async (raw: Raw, tier: ModelId, clips: readonly Clip[]): Promise<RunCost> => {
  const total = { calls: 0, wallMs: 0, cpuMs: 0 };
  for (const { samples } of clips) {
    const { recognition } = await raw.ask({ tier, samples });
    for (const part of ['calls', 'wallMs', 'cpuMs'] as const) total[part] += recognition.calls[part];
  }
  return total;
};

const measureLength = async (
  context: Context,
  tier: ModelId,
  clips: readonly Clip[],
  { raw, server }: { readonly raw: Raw; readonly server: ServerChild },
): Promise<Record<string, Cell>[]> => {
  const seconds = clips[0]!.samples.length / 16_000;
  const { language } = clips[0]!;
  const rows: Record<string, Cell>[] = [];
  for (const clients of context.clients) {
    const sent = clips.slice(0, seconds <= SHORT_SECONDS ? Math.max(clients, context.rounds) : clients);
    // Before and after: what a call takes changes with the machine's other guests.
    const before = await floorOf(raw, tier, sent);
    const posted = await postClips(server, tier, sent, clients);
    const after = await floorOf(raw, tier, sent);
    const perAudioSecond = (value: number) => (value / posted.audioSeconds).toFixed(3);
    const floorCpuSeconds = (before.cpuMs + after.cpuMs) / 2000;
    rows.push({
      tier,
      language,
      'clip s': seconds,
      clients,
      requests: sent.length,
      'wall s/s': perAudioSecond(posted.wallSeconds),
      'audio s per wall s': (posted.audioSeconds / posted.wallSeconds).toFixed(1),
      'p50 ms': Math.round(percentile(posted.answerMs, 0.5)),
      'p95 ms': Math.round(percentile(posted.answerMs, 0.95)),
      'CPU s/s': perAudioSecond(posted.cost.cpuSeconds),
      'raw wall s/s': perAudioSecond((before.wallMs + after.wallMs) / 2000),
      'raw CPU s/s': perAudioSecond(floorCpuSeconds),
      'CPU ÷ raw': ratio(posted.cost.cpuSeconds, floorCpuSeconds),
      'RSS MB': megabytes(posted.cost.rssBytes),
      failed: posted.failures.length,
    });
    context.say(JSON.stringify(rows.at(-1)));
  }
  return rows;
};

export const files: Section = {
  title: 'File mode over HTTP, and its floor',
  about:
    'A `faircopy serve` of its own on a free port, wav files posted by clients of this process. CPU and RSS are those of ' +
    'the whole process tree of the service. *Raw* is the floor: the same clips through the same planning and models in ' +
    'one process with as many threads, counting only the calls of the recognition models (`session.run`); the voice ' +
    'model, features, text and everything else are not in it; it is taken before and after, and the mean counts. `s/s` is per second of audio.',
  async run(context) {
    const tables: string[] = [];
    const countMax = Math.max(context.rounds, ...context.clients);
    for (const tier of context.tiers) {
      const rows: Record<string, Cell>[] = [];
      const { raw } = await openRaw([tier]);
      try {
        const server = await startServer('real', { ...PATIENT, FAIRCOPY_MODELS: tier });
        try {
          for (const { sentences } of context.languages) {
            await postClips(server, tier, clipsOfLength(sentences, 3, 1), 1);
            for (const seconds of context.lengths) {
              const clips = clipsOfLength(sentences, seconds, countMax);
              rows.push(...(await measureLength(context, tier, clips, { raw, server })));
            }
          }
        } finally {
          await server.stop();
        }
      } finally {
        await raw.stop();
      }
      tables.push(markdownTable(rows));
      if (rows.some(({ failed }) => failed !== 0)) process.exitCode = 1;
    }
    return [`${availableParallelism()} cores.`, ...tables].join('\n\n');
  },
};
