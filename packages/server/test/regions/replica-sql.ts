// The SQL that docs/internals/regions.md gives for the region that receives replicated changes.
import { readFile } from 'node:fs/promises';
import { sql } from '#kysely';
import type { Storage } from '../../src/storage/open.ts';

const PAGE = new URL('../../../../../docs/internals/regions.md', import.meta.url);

export const applyReplicaSql = async (storage: Storage): Promise<void> => {
  const page = await readFile(PAGE, 'utf8');
  for (const [, block = ''] of page.matchAll(/^```sql\n(.*?)^```$/gms)) await sql.raw(block).execute(storage.write);
};
