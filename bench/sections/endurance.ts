// Endurance: memory of the whole service over many mixed requests, one tenth after the other.
import { postClips } from '../clients.ts';
import { type Clip, clipsOfLength } from '../clips.ts';
import { megabytes, percentile } from '../figures.ts';
import { startServer } from '../server-child.ts';
import { type Cell, markdownTable } from '../table.ts';
import { PATIENT, type Section } from './context.ts';

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
    const server = await startServer('real', { ...PATIENT, FAIRCOPY_MODELS: context.tiers.join(',') });
    const rows: Record<string, Cell>[] = [];
    try {
      const perPart = Math.max(1, Math.round(context.requests / PARTS));
      for (let sent = 0; sent < context.requests; ) {
        const part = Array.from({ length: Math.min(perPart, context.requests - sent) }, (_, nth) => clipAt(sent + nth));
        sent += part.length;
        const tier = context.tiers[rows.length % context.tiers.length]!;
        const { cost, answerMs, failures } = await postClips(server, tier, part, CLIENTS);
        rows.push({
          requests: sent,
          tier,
          'RSS MB': megabytes(cost.rssBytes),
          'p50 ms': Math.round(percentile(answerMs, 0.5)),
          failed: failures.length,
        });
        context.say(JSON.stringify(rows.at(-1)));
      }
    } finally {
      await server.stop();
    }
    if (rows.some(({ failed }) => failed !== 0)) process.exitCode = 1;
    return markdownTable(rows);
  },
};
