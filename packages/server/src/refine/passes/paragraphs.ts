// Inserts paragraph breaks at long pauses, and in long text where a new topic or sentence starts.
import { mapTokens, type Pass } from '../rewrite.ts';
import { breaksLine, endsSentence, pauseMsBefore, type Token, withGap, writtenWithoutSpaces } from '../token.ts';
import { TOPIC_STARTS } from './words/paragraphs.ts';

const PAUSE_MS = 2500;
/** Minimum words in a paragraph before each kind of break. */
const WORDS_MIN_AT_PAUSE = 25;
const WORDS_MIN_AT_TOPIC = 90;
const WORDS_MIN_AT_SENTENCE = 150;
/** No break when fewer words than this remain. */
const REST_WORDS_MIN = 20;

/** In scripts without spaces a token is a whole clause, so two characters count as one word. */
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
      const isPause = pauseMsBefore(token, before) >= PAUSE_MS && written >= WORDS_MIN_AT_PAUSE;
      const isTopic = language !== null && written >= WORDS_MIN_AT_TOPIC && TOPIC_STARTS.has(token.key);
      const isLong = language !== null && written >= WORDS_MIN_AT_SENTENCE;
      if (!(isPause || isTopic || isLong) || !endsSentence(before) || rest < REST_WORDS_MIN) {
        written += count;
        return token;
      }
      written = count;
      return withGap(token, '\n\n');
    });
  },
};
