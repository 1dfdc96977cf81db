// The marks a recogniser left out: the end of a sentence, and the question mark of a plain question.
import { words } from '../languages/entry.ts';
import { looksLikeCode } from '../program-text.ts';
import type { Mark, Pass } from '../rewrite.ts';
import { DANGLING, pauseBefore } from '../sentence-breaks.ts';
import { breaksLine, endsSentence, render, type Token, withTrail } from '../token.ts';

/** Fewer words than this may be a label, a name or a search, and stay without a mark. */
const SENTENCE_WORDS_MIN = 3;
/** Two words that were many when said, such as "Call 555-1234". */
const SPOKEN_CHARACTERS_MIN = 6;
const SENTENCE_PAUSE_MS = 900;

const AUXILIARIES =
  words(`is are am was were do does did can could would will should have has had may might isn't aren't don't doesn't didn't can't couldn't
  won't wouldn't shouldn't haven't hasn't wasn't weren't`);
const SUBJECTS = words(
  `i you he she it we they this that there the my your our his her their anyone anybody someone somebody everyone these those a an`,
);
const SPEAKERS = words('i you he she it we they');
const ASKING = words('what when where who why how which whose');
const ASKING_NEXT = words(
  "is are was were do does did can could would will should have has had am time much many long far often about kind's",
);
const CONTRACTED = /^(?:what|where|who|how|when|why)'s$/u;

/** Whether an English sentence without a mark is plainly a question. */
const asks = (sentence: readonly Token[]): boolean => {
  let from = 0;
  while (
    from < 2 &&
    /^(?:so|and|but|okay|ok|hey|hi|hello|well|please|um|yeah|john|then)$/u.test(sentence[from]?.key ?? '')
  )
    from += 1;
  const [first = '', second = ''] = [sentence[from]?.key ?? '', sentence[from + 1]?.key ?? ''];
  if (sentence.length - from < 3) return false;
  if (CONTRACTED.test(first)) return true;
  if (ASKING.has(first)) {
    // "which one do you want", "what if we tried that"
    const inverted = (n: number) =>
      AUXILIARIES.has(sentence[from + n]?.key ?? '') && SPEAKERS.has(sentence[from + n + 1]?.key ?? '');
    const named = first === 'which' || first === 'what' || first === 'how' || first === 'whose';
    if (named && ((first === 'what' && second === 'if') || (second !== 'a' && [1, 2, 3].some(inverted)))) return true;
    if (first === 'when' || first === 'where' || first === 'which' || first === 'who')
      return AUXILIARIES.has(second) && SUBJECTS.has(sentence[from + 2]?.key ?? '');
    return ASKING_NEXT.has(second) && !(first === 'what' && second === 'a');
  }
  if (first === 'may' || first === 'might' || first === 'had' || first === 'have')
    return /^(?:i|you|we|they)$/u.test(second) && first !== 'had' && first !== 'might';
  return (
    AUXILIARIES.has(first) &&
    SUBJECTS.has(second) &&
    !(first === 'do' && second !== 'you' && second !== 'we' && second !== 'they' && second !== 'i')
  );
};

/** Words that begin a sentence more often than they carry one on. */
const STARTERS =
  words(`i i'm i'll i've we we're we'll you he she they it it's this there there's so okay please thanks thank now my let's
  if when hi hello yes no what how can could do anyway also then the
  ich wir sie er es das bitte danke also yo nosotros él ella gracias por je nous il elle merci io noi grazie eu nós obrigado ik we hij zij dank`);

const isText = (token: Token): boolean => /[\p{L}\p{N}]/u.test(token.core);
const isMarkup = (token: Token): boolean => /^<|>$/u.test(token.core);

/** Only sentences of words end with a mark; list items, numbers and addresses standing alone do not. */
const wantsEnd = (sentence: readonly Token[], follows: boolean): boolean => {
  const last = sentence.at(-1)!;
  const shrunk = sentence.some(
    (token) => token.rawEnd - token.rawStart >= render(token).length + SPOKEN_CHARACTERS_MIN,
  );
  const long = sentence.length >= SENTENCE_WORDS_MIN || (sentence.length === 2 && shrunk);
  if (!(long || follows) || !isText(last) || isMarkup(last) || !sentence.some((token) => /\p{L}{2}/u.test(token.core)))
    return false;
  if (sentence[0]!.lead.startsWith('- ')) return false;
  return last.trail === '' || last.trail === ',' || /^[”"')\]]+$/u.test(last.trail);
};

const closed = (token: Token, mark: string): Token => {
  const trail = token.trail === ',' ? '' : token.trail;
  // "3 p.m." ends the sentence with its own dot.
  if (mark === '.' && token.core.endsWith('.')) return withTrail(token, trail);
  return withTrail(token, mark + trail);
};

/** A recogniser that writes marks is believed: then a pause inside a sentence is only a pause. */
const WORDS_PER_MARK_MAX = 40;
const isBareText = (tokens: readonly Token[]): boolean =>
  tokens.filter(({ trail }) => /[.,!?;:]/u.test(trail)).length * WORDS_PER_MARK_MAX < tokens.length;

const isPausedEnd = (token: Token, next: Token): boolean =>
  token.trail === '' &&
  pauseBefore(next, token) >= SENTENCE_PAUSE_MS &&
  STARTERS.has(next.key) &&
  !DANGLING.has(token.key);

export const punctuation: Pass = {
  name: 'punctuation',
  run: (tokens, { language }) => {
    if (!language || looksLikeCode(tokens)) return { tokens, marks: [] };
    const bare = isBareText(tokens);
    const out = [...tokens];
    const marks: Mark[] = [];
    let start = 0;
    tokens.forEach((token, index) => {
      const next = tokens[index + 1];
      const paused = bare && next !== undefined && index - start >= 3 && isPausedEnd(token, next);
      const over = !next || breaksLine(next) || endsSentence(token) || paused;
      if (!over) return;
      const sentence = tokens.slice(start, index + 1);
      const follows = start > 0 && !breaksLine(tokens[start]!);
      start = index + 1;
      // Lines of a list or an address stand without a mark, and a dictated comma at the end of a line stays.
      const item = /^\d+\.$/u.test(sentence[0]!.core) && sentence.length > 1;
      const listed = !item && (next?.gap === '\n' || sentence[0]!.gap === '\n');
      if (endsSentence(token) || listed || (next && token.trail === ',')) return;
      if (!wantsEnd(sentence, follows || item)) return;
      const mark = language.code === 'en' && asks(sentence) ? '?' : '.';
      const ended = closed(token, mark);
      if (ended === token) return;
      out[index] = ended;
      marks.push({
        pass: 'punctuation',
        reason: mark === '?' ? 'a question' : 'the end of a sentence',
        rawStart: token.rawStart,
        rawEnd: token.rawEnd,
      });
    });
    return { tokens: out, marks };
  },
};
