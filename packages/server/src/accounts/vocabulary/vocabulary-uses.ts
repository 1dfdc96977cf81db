// What an account's own terms did lately: counted in memory, written now and then, a number per term and day.
import type { Storage } from '../../storage/open.ts';
import type { Database } from '../../storage/schema.ts';
import type { Principal } from '../principal.ts';

const FLUSH_AFTER_MS = 5_000;
/** More terms in use between two flushes are not counted. */
const NOTED_TERMS_MAX = 20_000;
const KEEP_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

/** A text that was written for an account, and what refinement changed in it. */
export interface WrittenText {
  readonly text: string;
  readonly edits: readonly { readonly pass: string; readonly after: string }[];
}

interface TermUse {
  readonly accountId: string;
  readonly term: string;
  readonly day: string;
  written: number;
  mended: number;
}

const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** How often it stands in the text as a word of its own, whatever its case. */
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
  #noted = new Map<string, TermUse>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  note(
    { accountId, vocabulary }: Pick<Principal, 'accountId' | 'vocabulary'>,
    { text, edits }: WrittenText,
    nowMs: number,
  ): void {
    if (vocabulary.length === 0 || text === '') return;
    const lowered = text.toLowerCase();
    const mendedTexts = edits.flatMap(({ pass, after }) => (/\bvocabulary\b/.test(pass) ? after.toLowerCase() : []));
    for (const term of vocabulary) {
      const sought = term.toLowerCase();
      const written = occurrences(lowered, sought);
      if (written === 0) continue;
      const mended = mendedTexts.reduce((sum, after) => sum + occurrences(after, sought), 0);
      this.#add({ accountId, term, day: dayOf(nowMs), written, mended });
    }
  }

  #add(use: TermUse): void {
    const place = [use.accountId, use.day, use.term].join('\n');
    const noted = this.#noted.get(place);
    if (noted) {
      noted.written += use.written;
      noted.mended += use.mended;
    } else if (this.#noted.size < NOTED_TERMS_MAX) this.#noted.set(place, use);
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS).unref();
  }

  /** Never rejects: what cannot be written is not counted. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // A fixed order, so that two nodes never wait for each other in a circle.
    const noted = [...this.#noted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, use]) => use);
    this.#noted = new Map();
    if (noted.length > 0) this.#flushing = this.#flushing.then(() => this.#write(noted)).catch(() => {});
    return this.#flushing;
  }

  close(): Promise<void> {
    return this.flush();
  }

  #write(noted: readonly TermUse[]): Promise<void> {
    return this.#storage.write.transaction().execute(async (trx) => {
      for (const { accountId, ...use } of noted)
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
      const oldest = dayOf(Date.now() - KEEP_DAYS * DAY_MS);
      for (const accountId of new Set(noted.map((use) => use.accountId)))
        await trx.deleteFrom('vocabulary_uses').where('account_id', '=', accountId).where('day', '<', oldest).execute();
    });
  }
}

/** For a server that does not count: what was counted before goes, too. */
export const forgetVocabularyUses = async (storage: Storage): Promise<void> => {
  await storage.write.deleteFrom('vocabulary_uses').execute();
};

export interface TermUses {
  readonly written: number;
  readonly mended: number;
  /** The last day on which it was written, as YYYY-MM-DD. */
  readonly lastDay: string;
}

/** By term, from a day on. Terms that did nothing are absent. */
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
