// The CPU cost of single clips relative to their length, including the most expensive ones.
import type { ModelId } from '@faircopy/contract';
import { postClips } from '../clients.ts';
import { type Clip, readSet, secondsOf } from '../clips.ts';
import { type Cell, markdownTable } from '../markdown-table.ts';
import { startServer } from '../server-process.ts';
import { percentile } from '../statistics.ts';
import { type Context, NO_TIMEOUTS, type Section } from './section.ts';

const SETS = ['en', 'noise', 'multi'];
const SHORT_SECONDS = 3;

interface Cost {
  readonly clip: Clip;
  readonly cpuSeconds: number;
}

const measure = async (context: Context, tier: ModelId, clips: readonly Clip[]): Promise<Cost[]> => {
  const server = await startServer('real', { ...NO_TIMEOUTS, FAIRCOPY_MODELS: tier });
  try {
    // Warm-up, so that compilation and memory allocation are not measured.
    await postClips(server, tier, clips.slice(0, 40), 1);
    const costs: Cost[] = [];
    for (const clip of clips) {
      const { cost, failures } = await postClips(server, tier, [clip], 1);
      if (failures.length > 0) process.exitCode = 1;
      costs.push({ clip, cpuSeconds: cost.cpuSeconds });
    }
    const dearest = costs.toSorted((a, b) => b.cpuSeconds / secondsOf(b.clip) - a.cpuSeconds / secondsOf(a.clip));
    for (const { clip, cpuSeconds } of dearest.slice(0, 5))
      context.log(`${tier}: ${clip.name}, ${secondsOf(clip).toFixed(1)} s: ${cpuSeconds.toFixed(2)} s of CPU`);
    return costs;
  } finally {
    await server.stop();
  }
};

const rowOf = (tier: ModelId, name: string, costs: readonly Cost[], perSecond: boolean): Record<string, Cell> => {
  const values = costs.map(({ clip, cpuSeconds }) => (perSecond ? cpuSeconds / secondsOf(clip) : cpuSeconds));
  const of = (share: number) => percentile(values, share).toFixed(2);
  return { tier, clips: name, count: costs.length, p50: of(0.5), p95: of(0.95), most: of(1) };
};

export const clipCost: Section = {
  title: 'Single clips',
  about:
    `All clips of eval/en, eval/noise and eval/multi, one after the other, CPU of all processes. Clips from ${SHORT_SECONDS} s: ` +
    'CPU seconds per audio second. Shorter clips: CPU seconds.',
  async run(context) {
    const clips = (await Promise.all(SETS.map(readSet))).flat();
    const rows: Record<string, Cell>[] = [];
    for (const tier of context.tiers) {
      const costs = await measure(context, tier, clips);
      const isShort = ({ clip }: Cost) => secondsOf(clip) < SHORT_SECONDS;
      const longer = costs.filter((cost) => !isShort(cost));
      rows.push(rowOf(tier, `from ${SHORT_SECONDS} s, s/s`, longer, true));
      rows.push(rowOf(tier, `under ${SHORT_SECONDS} s, s`, costs.filter(isShort), false));
      context.log(markdownTable(rows));
    }
    return markdownTable(rows);
  },
};
