// Counts how often an account's terms occur in its transcripts, per term and day.
import { readTerm } from '@faircopy/contract';
import { DeferredWrites } from '../../storage/deferred-writes.ts';
import type { Storage } from '../../storage/open.ts';
import type { Database } from '../../storage/schema.ts';
import { periodOf } from '../../usage/budgets/period.ts';
import type { Principal } from '../principal.ts';

const TERMS_MAX = 20_000;
const KEEP_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

/** A transcript and the changes made by refinement. */
export interface RefinedText {
  readonly text: string;
  readonly edits: readonly { readonly pass: string; readonly after: string }[];
}

interface TermUse {
  readonly accountId: string;
  readonly term: string;
  readonly day: string;
  readonly written: number;
  readonly mended: number;
}

/** Counts whole-word occurrences; both texts must be in lower case. */
const occurrences = (text: string, term: string): number => {
  let found = 0;
  for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + term.length)) {
    const isWord = !/[\p{L}\p{N}]$/u.test(text.slice(0, at)) && !/^[\p{L}\p{N}]/u.test(text.slice(at + term.length));
    if (isWord) found += 1;
  }
  return found;
};

export class VocabularyUses {
  readonly #storage: Storage;
  readonly #uses = new DeferredWrites<TermUse>({
    write: (uses) => this.#write(uses.map(([, use]) => use)),
    entriesMax: TERMS_MAX,
  });

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  count(
    { accountId, vocabulary }: Pick<Principal, 'accountId' | 'vocabulary'>,
    { text, edits }: RefinedText,
    nowMs: number,
  ): void {
    if (vocabulary.length === 0 || text === '') return;
    const lowerCase = text.toLowerCase();
    const day = periodOf('day', nowMs);
    const corrections = edits.flatMap(({ pass, after }) => (/\bvocabulary\b/.test(pass) ? after.toLowerCase() : []));
    for (const term of vocabulary) {
      const sought = (readTerm(term)?.text ?? term).toLowerCase();
      const written = occurrences(lowerCase, sought);
      if (written === 0) continue;
      const mended = corrections.reduce((sum, after) => sum + occurrences(after, sought), 0);
      this.#uses.set([accountId, day, term].join('\n'), (pending) => ({
        accountId,
        term,
        day,
        written: (pending?.written ?? 0) + written,
        mended: (pending?.mended ?? 0) + mended,
      }));
    }
  }

  flush(): Promise<void> {
    return this.#uses.flush();
  }

  close(): Promise<void> {
    return this.flush();
  }

  #write(uses: readonly TermUse[]): Promise<void> {
    return this.#storage.write.transaction().execute(async (trx) => {
      for (const { accountId, ...use } of uses)
        await trx
          .insertInto('vocabulary_uses')
          .values({ account_id: accountId, ...use })
          .onConflict((conflict) =>
            conflict.columns(['account_id', 'day', 'term']).doUpdateSet(({ eb, ref }) => ({
              written: eb('vocabulary_uses.written', '+', ref('excluded.written')),
              mended: eb('vocabulary_uses.mended', '+', ref('excluded.mended')),
            })),
          )
          .execute();
      const oldest = periodOf('day', Date.now() - KEEP_DAYS * DAY_MS);
      for (const accountId of new Set(uses.map((use) => use.accountId)))
        await trx.deleteFrom('vocabulary_uses').where('account_id', '=', accountId).where('day', '<', oldest).execute();
    });
  }
}

/** For servers with counting turned off: deletes earlier counts. */
export const deleteVocabularyUses = async (storage: Storage): Promise<void> => {
  await storage.write.deleteFrom('vocabulary_uses').execute();
};

export interface TermUses {
  readonly written: number;
  readonly mended: number;
  /** The day of the last occurrence, as YYYY-MM-DD. */
  readonly lastDay: string;
}

/** By term, from a day on. Terms without occurrences are absent. */
export const vocabularyUses = async (
  db: Database,
  accountId: string,
  fromDay: string,
): Promise<Map<string, TermUses>> => {
  const rows = await db
    .selectFrom('vocabulary_uses')
    .select(({ fn }) => [
      'term',
      fn.sum<number>('written').as('written'),
      fn.sum<number>('mended').as('mended'),
      fn.max('day').as('lastDay'),
    ])
    .where('account_id', '=', accountId)
    .where('day', '>=', fromDay)
    .groupBy('term')
    .execute();
  return new Map(rows.map(({ term, ...uses }) => [term, uses]));
};
