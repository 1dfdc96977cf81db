// Endurance: memory of the whole service over many mixed requests, sampled ten times.
import { postClips } from '../clients.ts';
import { type Clip, clipsOfLength } from '../clips.ts';
import { type Cell, markdownTable } from '../markdown-table.ts';
import { startServer } from '../server-process.ts';
import { megabytes, percentile } from '../statistics.ts';
import { NO_TIMEOUTS, type Section } from './section.ts';

const CLIENTS = 4;
const LENGTHS = [2, 5, 11, 3, 20, 1, 30, 8];
const PARTS = 10;

export const endurance: Section = {
  title: 'Memory over many requests',
  about: `Clips of 1 to 30 s in all languages and tiers, from ${CLIENTS} clients; resident memory after each part.`,
  async run(context) {
    const pools = context.languages.map(({ sentences }) =>
      LENGTHS.map((seconds) => clipsOfLength(sentences, seconds, 2)),
    );
    const clipAt = (nth: number): Clip => pools[nth % pools.length]![nth % LENGTHS.length]![nth % 2]!;
    const server = await startServer('real', { ...NO_TIMEOUTS, FAIRCOPY_MODELS: context.tiers.join(',') });
    const rows: Record<string, Cell>[] = [];
    try {
      const perPart = Math.max(1, Math.round(context.requests / PARTS));
      for (let sent = 0; sent < context.requests; ) {
        const part = Array.from({ length: Math.min(perPart, context.requests - sent) }, (_, nth) => clipAt(sent + nth));
        sent += part.length;
        const tier = context.tiers[rows.length % context.tiers.length]!;
        const { cost, latencyMs, failures } = await postClips(server, tier, part, CLIENTS);
        rows.push({
          requests: sent,
          tier,
          'RSS MB': megabytes(cost.rssBytes),
          'p50 ms': Math.round(percentile(latencyMs, 0.5)),
          failed: failures.length,
        });
        context.log(JSON.stringify(rows.at(-1)));
      }
    } finally {
      await server.stop();
    }
    if (rows.some(({ failed }) => failed !== 0)) process.exitCode = 1;
    return markdownTable(rows);
  },
};
