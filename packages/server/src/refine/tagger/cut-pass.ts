// The pass that carries out the tagger's cuts; without the model there are none.
import { type Pass, rewrite } from '../rewrite.ts';
import type { CutKind } from './decode.ts';

const REASONS: Readonly<Record<CutKind, string>> = {
  repeat: 'said twice',
  restart: 'begun again',
  correction: 'taken back by the speaker',
};

export const disfluencies: Pass = {
  name: 'disfluencies',
  run: (tokens, { cuts }) => {
    if (!cuts || cuts.size === 0) return { tokens, marks: [] };
    return rewrite(tokens, 'disfluencies', (at) => {
      const kind = cuts.get(at.ahead(0)!.rawStart);
      if (!kind) return null;
      let take = 1;
      for (let next = at.ahead(take); next && cuts.has(next.rawStart); next = at.ahead(take)) take += 1;
      // A text is never emptied.
      if (at.written === 0 && !at.ahead(take)) return null;
      return { take, put: [], reason: REASONS[kind] };
    });
  },
};
