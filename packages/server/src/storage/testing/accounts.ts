// Accounts as rows, for tests of the database itself.
import { openStorage, type Storage } from '../open.ts';
import type { Database } from '../schema.ts';

export const addAccount = async (db: Database, id: string): Promise<void> => {
  const row = { id, name: id, max_streams: null, max_duration_seconds: null, created_at_ms: 1 };
  await db.insertInto('accounts').values(row).execute();
};

export const accountNames = async ({ write }: Storage): Promise<string[]> =>
  (await write.selectFrom('accounts').select('name').orderBy('name').execute()).map(({ name }) => name);

export const accountNamesIn = async (dataDir: string): Promise<string[]> => {
  const storage = await openStorage({ dataDir });
  try {
    return await accountNames(storage);
  } finally {
    await storage.close();
  }
};
