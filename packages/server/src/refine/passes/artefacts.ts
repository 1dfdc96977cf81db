// Takes out what recognisers hallucinate: sound captions, subtitle credits, farewells of videos, endless loops.

import { hallucinationKind } from '../hallucinated-sentences.ts';
import { isArticleOne, isNumberWord } from '../numbers/number-words.ts';
import { type Change, type Cursor, type Pass, rewrite } from '../rewrite.ts';
import { breaksLine, endsSentence, render, type Token } from '../token.ts';

const SOUND = `music|musik|música|musique|musica|muziek|музыка|音楽|음악|applause|applaus|aplausos|applaudissements|applausi|拍手|laughter|laughs?|laughing|
  gelächter|risas|rires|risate|gelach|risos|silence|silent|stille|silencio|silêncio|blank_audio|blank audio|noise|background noise|static|
  coughs?|coughing|sighs?|sneezes?|sniffs?|clears throat|beep|beeping|inaudible|unintelligible|indistinct|no audio|no speech|sound|
  phone ringing|phone rings|bell rings|door opens|door closes|crowd cheering|cheering|typing|keyboard clicking|footsteps|
  speaking in foreign language|speaking foreign language|foreign language|upbeat music|soft music|gentle music|dramatic music|music playing|♪|♫`;
const CAPTION = new RegExp(`^(?:${SOUND.replace(/\s*\n\s*/gu, '')})$`, 'iu');
const NOTE_ONLY = /^[♪♫\s]+$/u;
const CAPTION_WORDS_MAX = 4;

/** "[Music]", "(soft music)", "*coughs*", "♪": a known sound inside marks that no speaker can say. */
const caption = (at: Cursor): Change | null => {
  const first = at.ahead(0)!;
  if (first.lead === '' && !/^[([*♪♫]/u.test(first.core)) return null;
  if (NOTE_ONLY.test(render(first))) return { take: 1, put: [], reason: 'a sound caption, not speech' };
  const opening = /^[([*♪]/u.exec(first.lead || first.core)?.[0];
  if (!opening) return null;
  const closing = { '[': ']', '(': ')', '*': '*', '♪': '♪' }[opening]!;
  let inside = '';
  for (let n = 0; n < CAPTION_WORDS_MAX; n++) {
    const token = at.ahead(n);
    if (!token) return null;
    inside += ` ${token.core}`;
    if (token.trail.includes(closing)) {
      const known = CAPTION.test(inside.trim().replace(/^[([*]|[)\]*]$/gu, ''));
      return known ? { take: n + 1, put: [], reason: 'a sound caption, not speech' } : null;
    }
  }
  return null;
};

const LOOP_PHRASE_MAX = 8;
/** How often a phrase of n words must stand in a row before no speaker would have said it. */
const loopCopies = (words: number): number => (words === 1 ? 7 : words === 2 ? 5 : 4);

const isCounted = ({ core, key, language }: Token): boolean =>
  /\d/u.test(core) || isNumberWord(key, language) || isArticleOne(key, language);

const loop = (at: Cursor): Change | null => {
  const here = at.key(0);
  for (let n = 1; n <= LOOP_PHRASE_MAX; n++) {
    if (at.key(n) !== here) continue;
    // "null null null …" may be a number.
    if (at.span(0, n).some(isCounted)) return null;
    let length = n;
    while (at.ahead(length) && at.key(length) === at.key(length - n)) length += 1;
    const copies = Math.floor(length / n);
    const phrase = at.span(0, n);
    if (copies < loopCopies(n)) continue;
    const last = at.ahead(copies * n - 1)!;
    const kept = [...phrase.slice(0, -1), { ...phrase[n - 1]!, trail: last.trail }];
    return { take: copies * n, put: kept, reason: `a loop of ${copies} copies` };
  }
  return null;
};

const sentenceFrom = (at: Cursor): readonly Token[] => {
  let n = 0;
  for (; at.ahead(n) && n < 24; n++)
    if (endsSentence(at.ahead(n)!) || (at.ahead(n + 1) && breaksLine(at.ahead(n + 1)!))) break;
  return at.span(0, n + 1);
};

/** A sentence that recognisers are known to hallucinate, where it stands alone at the end of the whole or of a window. */
const hallucination = (at: Cursor): Change | null => {
  if (!at.atStart()) return null;
  const sentence = sentenceFrom(at);
  const after = at.ahead(sentence.length);
  const kind = hallucinationKind(sentence.map(render).join(' '));
  if (kind === 'no') return null;
  const atEnd =
    !after ||
    hallucinationKind([after, ...at.span(sentence.length + 1, sentence.length + 20)].map(render).join(' ')) !== 'no';
  // A farewell can be real in the middle of a talk; a credit line never is.
  return kind === 'credit' || atEnd
    ? { take: sentence.length, put: [], reason: 'a line recognisers hallucinate in silence' }
    : null;
};

export const artefacts: Pass = {
  name: 'artefacts',
  run: (tokens) => rewrite(tokens, 'artefacts', (at) => caption(at) ?? hallucination(at) ?? loop(at)),
};
