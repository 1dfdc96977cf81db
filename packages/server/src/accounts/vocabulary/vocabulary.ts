// An account's terms (names, products, jargon) for recognition and refinement.
import { readTerm } from '@faircopy/contract';
import { changedMeanwhile } from '../../lib/edit-conflict.ts';
import { Fault } from '../../lib/fault.ts';
import { changeAccess } from '../../storage/access-version.ts';
import { lockNames } from '../../storage/engine.ts';
import type { Storage } from '../../storage/open.ts';
import type { Database } from '../../storage/schema.ts';
import { checkedName } from '../checked-name.ts';

const VOCABULARY_TERMS_MAX = 500;
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

/** Counts of false alarms by term. Terms without any are absent. */
export const falseAlarmsOf = async (db: Database, accountId: string): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('vocabulary_terms')
    .select(['term', 'false_alarms'])
    .where('account_id', '=', accountId)
    .where('false_alarms', '>', 0)
    .orderBy('position')
    .execute();
  return new Map(rows.map((row) => [row.term, row.false_alarms]));
};

/** Counts that a person reverted a term in a transcript. Null if the term is not in the vocabulary. */
export const countFalseAlarm = (
  storage: Storage,
  accountId: string,
  written: string,
): Promise<{ readonly term: string; readonly count: number } | null> =>
  changeAccess(storage, async (trx) => {
    await lockNames(storage.engine, trx, [`vocabulary of ${accountId}`]);
    const sought = written.toLowerCase();
    const term = (await listVocabulary(trx, accountId)).find(
      (line) => (readTerm(line)?.text ?? line).toLowerCase() === sought,
    );
    if (term === undefined) return null;
    const row = await trx
      .updateTable('vocabulary_terms')
      .set(({ eb }) => ({ false_alarms: eb('false_alarms', '+', 1) }))
      .where('account_id', '=', accountId)
      .where('term', '=', term)
      .returning('false_alarms')
      .executeTakeFirstOrThrow();
    return { term, count: row.false_alarms };
  });

/**
 * Replaces all terms and drops duplicates; terms that stay keep their false alarms. With `before`, throws CONFLICT if
 * the terms have changed since.
 */
export const setVocabulary = async (
  storage: Storage,
  accountId: string,
  terms: readonly string[],
  before?: readonly string[],
): Promise<string[]> => {
  if (terms.length > VOCABULARY_TERMS_MAX)
    throw new Fault('INVALID_REQUEST', { message: `A vocabulary has at most ${VOCABULARY_TERMS_MAX} terms.` });
  const kept = [...new Set(terms.map((term) => checkedName('A term', term, TERM_CHARACTERS_MAX).trim()))];
  await changeAccess(storage, async (trx) => {
    await lockNames(storage.engine, trx, [`vocabulary of ${accountId}`]);
    if (before && JSON.stringify(await listVocabulary(trx, accountId)) !== JSON.stringify(before))
      throw changedMeanwhile('Copy your changes, then reload the list.');
    const counts = await falseAlarmsOf(trx, accountId);
    const rows = kept.map((term, position) => ({
      account_id: accountId,
      position,
      term,
      false_alarms: counts.get(term) ?? 0,
    }));
    await trx.deleteFrom('vocabulary_terms').where('account_id', '=', accountId).execute();
    if (rows.length > 0) await trx.insertInto('vocabulary_terms').values(rows).execute();
  });
  return kept;
};
