// Spaces by the script's rules, and marks that stand alone joined to their word. Fits every language.
import { type Pass, rewrite } from '../rewrite.ts';
import { type Token, withGap, withTrail, writtenWithoutSpaces } from '../token.ts';

const LOOSE_MARK = /^[,.!?;:…。、，！？]+$/u;
/** French sets a space before these. */
const HIGH_MARK = /^[!?;:]+$/u;

const undoubled = (trail: string): string => trail.replace(/([,;:])\1+/gu, '$1').replace(/,([.!?])/gu, '$1');

const gapFor = (token: Token, before: Token | undefined): string => {
  if (!before) return '';
  const breaks = token.gap.split('\n').length - 1;
  if (breaks > 0) return breaks > 1 ? '\n\n' : '\n';
  // A no-break space was set on purpose, as before French marks.
  if (token.gap === '\u00a0' || token.gap === '\u202f') return token.gap;
  const left = (before.lead + before.core + before.trail).at(-1) ?? '';
  const right = (token.lead + token.core)[0] ?? '';
  return writtenWithoutSpaces(left) && writtenWithoutSpaces(right) ? '' : ' ';
};

export const spacing: Pass = {
  name: 'spacing',
  run: (tokens, { language }) =>
    rewrite(tokens, 'spacing', (at) => {
      const token = at.ahead(0)!;
      const before = at.behind(1);
      // Most words need nothing: one space before them, no marks, letters of English.
      if (
        before &&
        token.trail === '' &&
        token.gap === ' ' &&
        token.core.charCodeAt(0) < 128 &&
        !LOOSE_MARK.test(token.core)
      )
        return null;
      const loose = LOOSE_MARK.test(token.core) && token.lead === '' && !token.gap.includes('\n');
      if (before && loose && !(language?.code === 'fr' && HIGH_MARK.test(token.core))) {
        const joined = {
          ...before,
          trail: undoubled(before.trail + token.core),
          rawEnd: token.rawEnd,
          endMs: token.endMs,
        };
        return { back: 1, take: 1, put: [joined], reason: 'a mark belongs to its word' };
      }
      const doubled = undoubled(token.trail);
      const gap = gapFor(token, before);
      if (gap === token.gap && doubled === token.trail) return null;
      return {
        take: 1,
        put: [withTrail(withGap(token, gap), doubled)],
        reason: 'spaces and marks by the rules of the script',
      };
    }),
};
