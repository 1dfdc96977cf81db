// The place in the chain for a tagger that marks words to delete: what it is given, and how its marks become edits.
import { type Rewritten, rewrite } from './rewrite.ts';
import type { Token } from './token.ts';

/** Words `from` up to, not including, `to` go. */
export interface Deletion {
  readonly from: number;
  readonly to: number;
  readonly reason: string;
}

/** Marks disfluent words; it can do nothing else. */
export interface Tagger {
  /**
   * Looks at the words of one language, in order, with their times and the confidence of their window.
   * Deletions are in order and do not overlap. It never rejects: when it fails, it answers with none and reports so itself.
   */
  deletionsIn(words: readonly Token[], language: string): Promise<readonly Deletion[]>;
}

export const withoutDeleted = (words: readonly Token[], deletions: readonly Deletion[]): Rewritten => {
  const byStart = new Map(deletions.map((deletion) => [deletion.from, deletion]));
  return rewrite(words, 'tagger', (at) => {
    const deletion = byStart.get(at.index);
    return deletion && deletion.to > deletion.from
      ? { take: deletion.to - deletion.from, put: [], reason: deletion.reason }
      : null;
  });
};
