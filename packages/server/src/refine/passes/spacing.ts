// Sets spaces by the rules of the script and joins loose marks to their word. Works in every language.
import { type Pass, rewrite } from '../rewrite.ts';
import { render, type Token, withGap, withTrail, writtenWithoutSpaces } from '../token.ts';

const LOOSE_MARK = /^[,.!?;:…。、，！？]+$/u;
/** French puts a space before these. */
const HIGH_MARK = /^[!?;:]+$/u;

const withoutDoubles = (trail: string): string => trail.replace(/([,;:])\1+/gu, '$1').replace(/,([.!?])/gu, '$1');

const gapFor = (token: Token, before: Token | undefined): string => {
  if (!before) return '';
  const breaks = token.gap.split('\n').length - 1;
  if (breaks > 0) return breaks > 1 ? '\n\n' : '\n';
  // A no-break space is intentional, as before French punctuation.
  if (token.gap === '\u00a0' || token.gap === '\u202f') return token.gap;
  const left = render(before).at(-1) ?? '';
  const right = (token.lead + token.core)[0] ?? '';
  return writtenWithoutSpaces(left) && writtenWithoutSpaces(right) ? '' : ' ';
};

export const spacing: Pass = {
  name: 'spacing',
  run: (tokens, { language }) =>
    rewrite(tokens, 'spacing', (at) => {
      const token = at.ahead(0)!;
      const before = at.behind(1);
      const isLoose = LOOSE_MARK.test(token.core);
      // A fast path for most words.
      if (before && token.trail === '' && token.gap === ' ' && token.core.charCodeAt(0) < 128 && !isLoose) return null;
      const isFrenchMark = language?.code === 'fr' && HIGH_MARK.test(token.core);
      if (before && isLoose && !isFrenchMark && token.lead === '' && !token.gap.includes('\n')) {
        const joined = {
          ...before,
          trail: withoutDoubles(before.trail + token.core),
          rawEnd: token.rawEnd,
          endMs: token.endMs,
        };
        return { back: 1, take: 1, put: [joined], reason: 'punctuation joined to its word' };
      }
      const trail = withoutDoubles(token.trail);
      const gap = gapFor(token, before);
      if (gap === token.gap && trail === token.trail) return null;
      return { take: 1, put: [withTrail(withGap(token, gap), trail)], reason: 'spacing and punctuation of the script' };
    }),
};
