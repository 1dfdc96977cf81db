// The tagger port: marks words to delete, and applies its deletions as edits.
import { type Rewritten, rewrite } from './rewrite.ts';
import { type Token, withTrail } from './token.ts';

/** Deletes the words in [from, to). */
export interface Deletion {
  readonly from: number;
  readonly to: number;
  readonly reason: string;
  /** Also drop the comma after the next word: it only set off the deleted words. */
  readonly comma?: boolean;
}

export interface TaggerResult {
  /** Sorted, without overlaps. */
  readonly deletions: readonly Deletion[];
  /** The probability, 0 to 1, that each word is disfluent; undefined for words that the tagger did not rate. */
  readonly disfluencies: readonly (number | undefined)[];
}

export const NOTHING_TAGGED: TaggerResult = { deletions: [], disfluencies: [] };

export interface Tagger {
  /** Tags words of one language. Never rejects: on failure it reports the failure and tags nothing. */
  tag(words: readonly Token[], language: string): Promise<TaggerResult>;
}

/** Deletes the tagged words. The remaining words carry their probability to the later passes. */
export const applyTags = (words: readonly Token[], { deletions, disfluencies }: TaggerResult): Rewritten => {
  const tagged = words.map((word, n) =>
    disfluencies[n] === undefined ? word : { ...word, disfluency: disfluencies[n] },
  );
  if (deletions.length === 0) return { tokens: tagged, records: [] };
  const byStart = new Map(deletions.map((deletion) => [deletion.from, deletion]));
  return rewrite(tagged, 'tagger', (at) => {
    const deletion = byStart.get(at.index);
    if (!deletion || deletion.to <= deletion.from) return null;
    const { reason } = deletion;
    const take = deletion.to - deletion.from;
    const next = at.ahead(take);
    return deletion.comma && next
      ? { take: take + 1, put: [withTrail(next, next.trail.replace(/,$/u, ''))], reason }
      : { take, put: [], reason };
  });
};
