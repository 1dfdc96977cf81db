// File mode over HTTP compared with the model baseline, by tier, language, clip length and number of clients.
import { availableParallelism } from 'node:os';
import type { ModelId } from '@faircopy/contract';
import { postClips } from '../clients.ts';
import { type Clip, clipsOfLength, secondsOf } from '../clips.ts';
import { type Cell, markdownTable } from '../markdown-table.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { megabytes, percentile, ratio } from '../statistics.ts';
import { type Context, NO_TIMEOUTS, type Section } from './section.ts';

/** Each client sends a longer clip only once. */
const SHORT_SECONDS = 30;

const measureLength = async (
  context: Context,
  tier: ModelId,
  clips: readonly Clip[],
  server: ServerProcess,
): Promise<Record<string, Cell>[]> => {
  const { language } = clips[0]!;
  const seconds = secondsOf(clips[0]!);
  const rows: Record<string, Cell>[] = [];
  for (const clients of context.clients) {
    const sent = clips.slice(0, seconds <= SHORT_SECONDS ? Math.max(clients, context.rounds) : clients);
    const { wallSeconds, audioSeconds, latencyMs, cost, modelCpuSeconds, failures } = await postClips(
      server,
      tier,
      sent,
      clients,
    );
    rows.push({
      tier,
      language,
      'clip s': seconds,
      clients,
      requests: sent.length,
      'wall s/s': (wallSeconds / audioSeconds).toFixed(3),
      'audio s per wall s': (audioSeconds / wallSeconds).toFixed(1),
      'p50 ms': Math.round(percentile(latencyMs, 0.5)),
      'p95 ms': Math.round(percentile(latencyMs, 0.95)),
      'CPU s/s': (cost.cpuSeconds / audioSeconds).toFixed(3),
      'model CPU s/s': (modelCpuSeconds / audioSeconds).toFixed(3),
      'CPU ÷ model': ratio(cost.cpuSeconds, modelCpuSeconds),
      'RSS MB': megabytes(cost.rssBytes),
      failed: failures.length,
    });
    context.log(JSON.stringify(rows.at(-1)));
  }
  return rows;
};

export const files: Section = {
  title: 'File mode over HTTP, against the model baseline',
  about:
    'A separate `faircopy serve` on a free port, to which clients in this process post wav files. CPU and RSS are those ' +
    'of the whole process tree of the service. *Model* is the model baseline: CPU time inside `session.run`, counted in ' +
    "the service's own recognisers during the same requests. It excludes the voice model, features, text and everything " +
    'else. Counting costs two readings of the CPU clock per call. `s/s` is per second of audio.',
  async run(context) {
    const tables: string[] = [];
    const countMax = Math.max(context.rounds, ...context.clients);
    for (const tier of context.tiers) {
      const rows: Record<string, Cell>[] = [];
      const server = await startServer('real', { ...NO_TIMEOUTS, FAIRCOPY_MODELS: tier }, { countModelCalls: true });
      try {
        for (const { sentences } of context.languages) {
          await postClips(server, tier, clipsOfLength(sentences, 3, 1), 1);
          for (const seconds of context.lengths) {
            rows.push(...(await measureLength(context, tier, clipsOfLength(sentences, seconds, countMax), server)));
          }
        }
      } finally {
        await server.stop();
      }
      tables.push(markdownTable(rows));
      if (rows.some(({ failed }) => failed !== 0)) process.exitCode = 1;
    }
    return [`${availableParallelism()} cores.`, ...tables].join('\n\n');
  },
};
