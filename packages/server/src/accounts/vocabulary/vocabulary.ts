// An account's terms (names, products, jargon) for recognition and refinement.
import { changedMeanwhile } from '../../lib/edit-conflict.ts';
import { Fault } from '../../lib/fault.ts';
import { changeAccess } from '../../storage/access-version.ts';
import { lockNames } from '../../storage/engine.ts';
import type { Storage } from '../../storage/open.ts';
import type { Database } from '../../storage/schema.ts';
import { checkedName } from '../checked-name.ts';

export const VOCABULARY_TERMS_MAX = 500;
const TERM_CHARACTERS_MAX = 100;

/** In the order given. */
export const listVocabulary = async (db: Database, accountId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('vocabulary_terms')
    .select('term')
    .where('account_id', '=', accountId)
    .orderBy('position')
    .execute();
  return rows.map(({ term }) => term);
};

/** Replaces all terms and drops duplicates. With `before`, throws CONFLICT if the terms have changed since. */
export const setVocabulary = async (
  storage: Storage,
  accountId: string,
  terms: readonly string[],
  before?: readonly string[],
): Promise<string[]> => {
  if (terms.length > VOCABULARY_TERMS_MAX)
    throw new Fault('INVALID_REQUEST', { message: `A vocabulary has at most ${VOCABULARY_TERMS_MAX} terms.` });
  const kept = [...new Set(terms.map((term) => checkedName('A term', term, TERM_CHARACTERS_MAX).trim()))];
  const rows = kept.map((term, position) => ({ account_id: accountId, position, term }));
  await changeAccess(storage, async (trx) => {
    await lockNames(storage.engine, trx, [`vocabulary of ${accountId}`]);
    if (before && JSON.stringify(await listVocabulary(trx, accountId)) !== JSON.stringify(before))
      throw changedMeanwhile('Copy your changes, then reload the list.');
    await trx.deleteFrom('vocabulary_terms').where('account_id', '=', accountId).execute();
    if (rows.length > 0) await trx.insertInto('vocabulary_terms').values(rows).execute();
  });
  return kept;
};
