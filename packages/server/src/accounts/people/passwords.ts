// Stores password hashes in the form that the sign-in library expects.
import { randomUUID } from 'node:crypto';
import type { Engine } from '../../storage/engine.ts';
import type { DatabaseTransaction } from '../../storage/schema.ts';
import { timeFor } from './engine-values.ts';

/** The library's name for e-mail and password among its sign-in providers. */
const PASSWORD_PROVIDER = 'credential';

/** Sets or replaces the password of a person. */
export const setPassword = async (
  engine: Engine,
  trx: DatabaseTransaction,
  { personId, passwordHash }: { readonly personId: string; readonly passwordHash: string },
): Promise<void> => {
  const now = timeFor(engine);
  const { numUpdatedRows } = await trx
    .updateTable('person_credentials')
    .set({ password_hash: passwordHash, updated_at: now })
    .where('person_id', '=', personId)
    .where('provider_id', '=', PASSWORD_PROVIDER)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return;
  await trx
    .insertInto('person_credentials')
    .values({
      id: randomUUID(),
      person_id: personId,
      provider_id: PASSWORD_PROVIDER,
      provider_account_id: personId,
      password_hash: passwordHash,
      created_at: now,
      updated_at: now,
    })
    .execute();
};
