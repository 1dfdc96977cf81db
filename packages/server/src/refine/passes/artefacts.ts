// Removes what recognisers hallucinate: sound captions, subtitle credits, video farewells and loops.
import type { Cursor } from '../cursor.ts';
import { isArticleOne, isNumberWord } from '../numbers/number-words.ts';
import { type Change, type Pass, rewrite } from '../rewrite.ts';
import { breaksLine, endsSentence, render, type Token } from '../token.ts';
import { SOUND_CAPTION } from './words/artefacts.ts';
import { CREDITS, FAREWELLS, SUSPECT } from './words/hallucinations.ts';

const NOTES_ONLY = /^[♪♫\s]+$/u;
const CAPTION_WORDS_MAX = 4;
const CAPTION_REASON = 'a sound caption, not speech';
const CLOSING_MARKS: Readonly<Record<string, string>> = { '[': ']', '(': ')', '*': '*', '♪': '♪' };

/** A known sound inside marks that nobody speaks: "[Music]", "(soft music)", "*coughs*", "♪". */
const caption = (at: Cursor): Change | null => {
  const first = at.ahead(0)!;
  if (first.lead === '' && !/^[([*♪♫]/u.test(first.core)) return null;
  if (NOTES_ONLY.test(render(first))) return { take: 1, put: [], reason: CAPTION_REASON };
  const opening = /^[([*♪]/u.exec(first.lead || first.core)?.[0];
  if (!opening) return null;
  const closing = CLOSING_MARKS[opening]!;
  let inside = '';
  for (let n = 0; n < CAPTION_WORDS_MAX; n++) {
    const token = at.ahead(n);
    if (!token) return null;
    inside += ` ${token.core}`;
    if (token.trail.includes(closing)) {
      const isSound = SOUND_CAPTION.test(inside.trim().replace(/^[([*]|[)\]*]$/gu, ''));
      return isSound ? { take: n + 1, put: [], reason: CAPTION_REASON } : null;
    }
  }
  return null;
};

const LOOP_PHRASE_MAX = 8;
/** The number of copies in a row that no speaker would say, by the number of words in the phrase. */
const loopCopies = (words: number): number => (words === 1 ? 7 : words === 2 ? 5 : 4);

const isNumber = ({ core, key, language }: Token): boolean =>
  /\d/u.test(core) || isNumberWord(key, language) || isArticleOne(key, language);

const loop = (at: Cursor): Change | null => {
  const here = at.key(0);
  for (let n = 1; n <= LOOP_PHRASE_MAX; n++) {
    if (at.key(n) !== here) continue;
    const phrase = at.span(0, n);
    // "null null null …" may be a number.
    if (phrase.some(isNumber)) return null;
    let length = n;
    while (at.ahead(length) && at.key(length) === at.key(length - n)) length += 1;
    const copies = Math.floor(length / n);
    if (copies < loopCopies(n)) continue;
    const last = at.ahead(copies * n - 1)!;
    const put = [...phrase.slice(0, -1), { ...phrase[n - 1]!, trail: last.trail }];
    return { take: copies * n, put, reason: `a loop of ${copies} copies` };
  }
  return null;
};

const SENTENCE_WORDS_MAX = 24;
const SENTENCE_CHARACTERS_MAX = 240;

const sentenceFrom = (at: Cursor): readonly Token[] => {
  let n = 0;
  for (; at.ahead(n) && n < SENTENCE_WORDS_MAX; n++)
    if (endsSentence(at.ahead(n)!) || (at.ahead(n + 1) && breaksLine(at.ahead(n + 1)!))) break;
  return at.span(0, n + 1);
};

/** Normalises a sentence to the form that the patterns expect. */
const flat = (sentence: string): string =>
  sentence
    .toLowerCase()
    .replace(/[’ʼ]/gu, "'")
    .replace(/[^\p{L}\p{N}\s.'-]/gu, ' ')
    .replace(/[.\s]+$/u, '')
    .replace(/\s+/gu, ' ')
    .trim();

const hallucinationKind = (words: readonly Token[]): 'credit' | 'farewell' | null => {
  const sentence = words.map(render).join(' ');
  if (sentence.length > SENTENCE_CHARACTERS_MAX || !SUSPECT.test(sentence)) return null;
  const text = flat(sentence);
  if (CREDITS.some((pattern) => pattern.test(text))) return 'credit';
  return FAREWELLS.some((pattern) => pattern.test(text)) ? 'farewell' : null;
};

/** Removes a credit anywhere, or a farewell at the end of the text. */
const hallucination = (at: Cursor): Change | null => {
  if (!at.atStart()) return null;
  const sentence = sentenceFrom(at);
  const kind = hallucinationKind(sentence);
  if (kind === null) return null;
  const rest = at.span(sentence.length, sentence.length + 20);
  const isLast = rest.length === 0 || hallucinationKind(rest) !== null;
  return kind === 'credit' || isLast
    ? { take: sentence.length, put: [], reason: 'a line that recognisers hallucinate in silence' }
    : null;
};

export const artefacts: Pass = {
  name: 'artefacts',
  run: (tokens) => rewrite(tokens, 'artefacts', (at) => caption(at) ?? hallucination(at) ?? loop(at)),
};
