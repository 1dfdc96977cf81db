// Starts, measures and stops one server per tier, and joins the rows into one table.
import type { ModelId } from '@faircopy/contract';
import { type Cell, markdownTable } from '../markdown-table.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { type Context, NO_TIMEOUTS } from './section.ts';

type Row = Record<string, Cell>;

export const measureTiers = async (
  { tiers }: Context,
  measure: (tier: ModelId, server: ServerProcess) => Promise<readonly Row[]>,
): Promise<string> => {
  const rows: Row[] = [];
  for (const tier of tiers) {
    const server = await startServer('real', { ...NO_TIMEOUTS, FAIRCOPY_MODELS: tier });
    try {
      rows.push(...(await measure(tier, server)));
    } finally {
      await server.stop();
    }
  }
  if (rows.some(({ failed }) => failed !== 0)) process.exitCode = 1;
  return markdownTable(rows);
};
