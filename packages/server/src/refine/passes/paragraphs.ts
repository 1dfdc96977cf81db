// Paragraphs: from long pauses, and from length where the talk turns.
import { words } from '../languages/entry.ts';
import { mapTokens, type Pass } from '../rewrite.ts';
import { pauseBefore } from '../sentence-breaks.ts';
import { breaksLine, endsSentence, type Token, withGap, writtenWithoutSpaces } from '../token.ts';

const PAUSE_MS = 2500;
/** After a pause a paragraph needs this many words to stand alone. */
const AFTER_PAUSE_WORDS_MIN = 25;
const AT_TURN_WORDS_MIN = 90;
const AT_ANY_SENTENCE_WORDS_MIN = 150;
/** The last paragraph is not worth a break when little is left. */
const REST_WORDS_MIN = 20;

const TURNS =
  words(`so now anyway okay next finally also another moving secondly thirdly lastly meanwhile alright right besides however
  nun also jetzt außerdem schließlich übrigens bueno ahora además finalmente alors maintenant ensuite enfin allora adesso inoltre infine agora então
  além nu verder dus tenslotte`);

/** Scripts without spaces come as whole clauses: two characters count as a word. */
const wordsIn = ({ core }: Token): number => (writtenWithoutSpaces(core) ? Math.ceil(core.length / 2) : 1);

export const paragraphs: Pass = {
  name: 'paragraphs',
  run: (tokens, { language }) => {
    let written = 0;
    let left = tokens.reduce((sum, token) => sum + wordsIn(token), 0);
    return mapTokens(tokens, 'paragraphs', 'a new paragraph', (token, _, before) => {
      const count = wordsIn(token);
      const rest = left;
      left -= count;
      if (!before || breaksLine(token)) {
        written = count;
        return token;
      }
      const paused = pauseBefore(token, before) >= PAUSE_MS && written >= AFTER_PAUSE_WORDS_MIN;
      const turns = language !== null && written >= AT_TURN_WORDS_MIN && TURNS.has(token.key);
      const long = language !== null && written >= AT_ANY_SENTENCE_WORDS_MIN;
      if (!(paused || turns || long) || !endsSentence(before) || rest < REST_WORDS_MIN) {
        written += count;
        return token;
      }
      written = count;
      return withGap(token, '\n\n');
    });
  },
};
