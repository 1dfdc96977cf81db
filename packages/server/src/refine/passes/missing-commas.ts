// A few certain marks for English sentences that the recogniser left bare: after a greeting or a yes, before "but", around a last "thank you".
import { words } from '../languages/entry.ts';
import { FIRST_NAMES } from '../names.ts';
import { looksLikeCode } from '../program-text.ts';
import type { Mark, Pass } from '../rewrite.ts';
import { breaksLine, endsSentence, type Token, withTrail } from '../token.ts';

const OPENERS = words(
  'yes yeah yep no nope well okay ok oh hi hello hey actually anyway unfortunately fortunately honestly sorry',
);
const GREETINGS = words('hi hello hey');
const SUBJECTS =
  words(`i i'm i'll i've i'd we we're we'll we've you you're you'll he he's she she's they they're it it's that's there's there
  this let's please my what when where how can could do does`);
/** After "no" only a subject makes it an answer: "no what", "no can do" are something else. */
const ANSWERED = words(
  "i i'm i'll i've i'd we we're we'll you you're he she they it it's that's there's this thanks let's",
);
const PRONOUNS = words(
  "i i'm i'll we we're we'll you you're he he's she she's they they're it it's there there's that's",
);
const CLOSERS = [
  ['thank', 'you', 'very', 'much'],
  ['thank', 'you', 'so', 'much'],
  ['thank', 'you'],
  ['thanks', 'a', 'lot'],
  ['thanks', 'bye'],
  ['thanks'],
  ['bye'],
] as const;
/** Before these a closing word belongs to the sentence: "to say thank you", "many thanks". */
const NOT_BEFORE_CLOSER = words(
  'to say said says saying and no many with give gives of the a my our you bye love or for i just big',
);
const ASKED = words('call let send give note contact confirm email text bring make check tell ask leave remember');
const NOT_BEFORE_PLEASE = words('can could you would will and so to yes no if but or then i we they also');
const CLOSER_WORDS_BEFORE_MIN = 3;
const BUT_WORDS_BEFORE_MIN = 3;

/** Not one mark, not even at the end: the recogniser did not punctuate here. */
const isBare = (sentence: readonly Token[]): boolean =>
  sentence.length >= 3 && sentence.every(({ lead, trail }) => lead === '' && trail === '');

/** Where a comma goes after the first words, if anywhere. */
const openerEnd = (sentence: readonly Token[]): number | null => {
  const [first, second, third] = sentence.map(({ key }) => key) as [string, string, string];
  if (!OPENERS.has(first)) return null;
  if (GREETINGS.has(first) && FIRST_NAMES.has(second) && SUBJECTS.has(third)) return 1;
  const follows = first === 'no' || first === 'nope' ? ANSWERED : SUBJECTS;
  // "well what" and "sorry you feel that way" go on; "oh my god" is one word.
  if (
    (first === 'oh' && second === 'my') ||
    (first === 'sorry' && /^(?:you|it|that's|for|my|can|do|this)$/u.test(second))
  )
    return null;
  if (first === 'actually' && !PRONOUNS.has(second)) return null;
  return follows.has(second) ? 0 : null;
};

const closerStart = (sentence: readonly Token[]): number | null => {
  for (const closer of CLOSERS) {
    const start = sentence.length - closer.length;
    if (start < CLOSER_WORDS_BEFORE_MIN || !closer.every((word, n) => sentence[start + n]!.key === word)) continue;
    return NOT_BEFORE_CLOSER.has(sentence[start - 1]!.key) ? null : start;
  }
  return null;
};

export const missingCommas: Pass = {
  name: 'punctuation',
  run: (tokens, { language }) => {
    if (language?.code !== 'en' || looksLikeCode(tokens)) return { tokens, marks: [] };
    const out = [...tokens];
    const marks: Mark[] = [];
    const put = (index: number, trail: string, reason: string) => {
      const token = out[index]!;
      out[index] = withTrail(token, trail);
      marks.push({ pass: 'punctuation', reason, rawStart: token.rawStart, rawEnd: token.rawEnd });
    };
    let start = 0;
    tokens.forEach((token, index) => {
      const next = tokens[index + 1];
      if (next && !breaksLine(next) && !endsSentence(token)) return;
      const sentence = tokens.slice(start, index + 1);
      const from = start;
      start = index + 1;
      if (!isBare(sentence)) return;
      const opener = openerEnd(sentence);
      if (opener !== null) put(from + opener, ',', 'after a greeting or an answer');
      const closer = closerStart(sentence);
      if (closer !== null) put(from + closer - 1, '.', 'a thank-you is a sentence of its own');
      sentence.forEach(({ key }, n) => {
        const subject = sentence[n + 1]?.key ?? '';
        const asks =
          key === 'please' &&
          n > CLOSER_WORDS_BEFORE_MIN &&
          ASKED.has(subject) &&
          !NOT_BEFORE_PLEASE.has(sentence[n - 1]!.key);
        if (asks && !sentence[n - 1]!.core.endsWith('.')) put(from + n - 1, '.', 'a request is a sentence of its own');
        if (key === 'but' && n >= BUT_WORDS_BEFORE_MIN && PRONOUNS.has(subject) && n + 2 < sentence.length)
          put(from + n - 1, ',', 'before "but" and a clause');
      });
    });
    return { tokens: out, marks };
  },
};
