// The secret that signs session cookies. Created once and stored in the database, so that all nodes share it.
import { randomBytes } from 'node:crypto';
import type { Storage } from '../../storage/open.ts';

const NAME = 'sign_in_secret';

export const serverSecret = async (storage: Storage): Promise<string> => {
  await storage.write
    .insertInto('server_settings')
    .values({ name: NAME, value: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const row = await storage.write
    .selectFrom('server_settings')
    .select('value')
    .where('name', '=', NAME)
    .executeTakeFirstOrThrow();
  return row.value;
};
