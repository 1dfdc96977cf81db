// Single-use links: random tokens, of which only the SHA-256 is stored.
import { createHash, randomBytes } from 'node:crypto';
import { Fault } from '../../lib/fault.ts';
import type { DatabaseTransaction } from '../../storage/schema.ts';

export const newLinkToken = (): string => randomBytes(24).toString('base64url');

export const hashOfLink = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Marks a link as used. Throws NOT_FOUND if it already was: of two concurrent uses, one succeeds. */
export const consumeLink = async (trx: DatabaseTransaction, id: string): Promise<void> => {
  const { numUpdatedRows } = await trx
    .updateTable('welcome_links')
    .set({ used_at_ms: Date.now() })
    .where('id', '=', id)
    .where('used_at_ms', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new Fault('NOT_FOUND', { message: 'This link has already been used.' });
};
