// The place in the chain for a tagger that marks words to delete: what it is given, and how its marks become edits.
import { type Rewritten, rewrite } from './rewrite.ts';
import { type Token, withTrail } from './token.ts';

/** Words `from` up to, not including, `to` go. */
export interface Deletion {
  readonly from: number;
  readonly to: number;
  readonly reason: string;
  /** The comma of the word after them goes too: it only set them off. */
  readonly comma?: boolean;
}

export interface Judgement {
  /** In order, not overlapping. */
  readonly deletions: readonly Deletion[];
  /** For each word how likely it was a slip, 0..1; undefined where nobody looked. */
  readonly slips: readonly (number | undefined)[];
}

export const UNJUDGED: Judgement = { deletions: [], slips: [] };

/** Marks disfluent words; it can do nothing else. */
export interface Tagger {
  /**
   * Looks at the words of one language, in order, with their times and the confidence of their window.
   * It never rejects: when it fails, it answers with nothing and reports so itself.
   */
  judge(words: readonly Token[], language: string): Promise<Judgement>;
}

/** Takes the deletions out; what is left carries its odds, for the rules that come after. */
export const withoutDeleted = (words: readonly Token[], { deletions, slips }: Judgement): Rewritten => {
  const judged = words.map((word, n) => (slips[n] === undefined ? word : { ...word, slip: slips[n] }));
  if (deletions.length === 0) return { tokens: judged, marks: [] };
  const byStart = new Map(deletions.map((deletion) => [deletion.from, deletion]));
  return rewrite(judged, 'tagger', (at) => {
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
