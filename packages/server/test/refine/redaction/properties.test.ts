// Properties of redaction: whatever the number and however it is said, none of it is left in any part of a transcript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REFINE_LEVELS, redactedKinds } from '@faircopy/contract';
import { subtitles, writtenWords } from '@faircopy/transcript';
import fc from 'fast-check';
import { createRefiner } from '../../../src/refine/create-refiner.ts';
import { SessionRedaction } from '../../../src/transcription/text/session-redaction.ts';
import { inputOf } from './corpus.ts';

const NEVER = new AbortController().signal;
const refiner = createRefiner({ tagger: null });

const luhnDigit = (digits: string): number => {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
};

/** A valid card number of sixteen digits. */
const card = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 14, maxLength: 14 })
  .map((digits) => `4${digits.join('')}`)
  .map((digits) => `${digits}${luhnDigit(digits)}`);

interface Speaker {
  readonly language: string;
  readonly before: string;
  readonly after: string;
  readonly digits: readonly string[];
}

const SPEAKERS: readonly Speaker[] = [
  ['en', 'my card number is', 'thank you', 'zero one two three four five six seven eight nine'],
  ['de', 'meine Kartennummer ist', 'vielen Dank', 'null eins zwei drei vier fünf sechs sieben acht neun'],
  ['es', 'mi número de tarjeta es', 'muchas gracias', 'cero uno dos tres cuatro cinco seis siete ocho nueve'],
  ['fr', 'mon numéro de carte est', 'merci beaucoup', 'zéro un deux trois quatre cinq six sept huit neuf'],
  ['it', 'il numero della mia carta è', 'grazie mille', 'zero uno due tre quattro cinque sei sette otto nove'],
  ['pt', 'o número do meu cartão é', 'muito obrigado', 'zero um dois três quatro cinco seis sete oito nove'],
  ['nl', 'mijn kaartnummer is', 'dank je wel', 'nul een twee drie vier vijf zes zeven acht negen'],
].map(([language, before, after, digits]) => ({
  language: language!,
  before: before!,
  after: after!,
  digits: digits!.split(' '),
}));

type Form = 'together' | 'groups' | 'dashes' | 'digits' | 'words';

const spokenAs = (number: string, form: Form, { digits }: Speaker): string => {
  if (form === 'together') return number;
  if (form === 'digits') return [...number].join(' ');
  if (form === 'words') return [...number].map((digit) => digits[Number(digit)]).join(' ');
  return (number.match(/.{4}/gu) ?? []).join(form === 'groups' ? ' ' : '-');
};

const said = fc.record({
  number: card,
  speaker: fc.constantFrom(...SPEAKERS),
  form: fc.constantFrom<Form>('together', 'groups', 'dashes', 'digits', 'words'),
  level: fc.constantFrom(...REFINE_LEVELS),
});

/** Four digits of the number in a row, or four of their words. */
const traces = (number: string, { digits }: Speaker): readonly string[] =>
  Array.from({ length: number.length - 3 }, (_, at) => number.slice(at, at + 4)).flatMap((part) => [
    part,
    [...part].join(' '),
    [...part].map((digit) => digits[Number(digit)]).join(' '),
  ]);

const assertNone = (shown: unknown, number: string, speaker: Speaker): void => {
  const text = JSON.stringify(shown).toLowerCase();
  for (const trace of traces(number, speaker)) assert.equal(text.includes(trace), false, `${trace} in ${text}`);
};

test('a card number in any form, language and level leaves nothing in text, edits, words and subtitles', async () => {
  await fc.assert(
    fc.asyncProperty(said, async ({ number, speaker, form, level }) => {
      const { language, before, after } = speaker;
      const text = `${before} ${spokenAs(number, form, speaker)} ${after}`;
      const redaction = new SessionRedaction(redactedKinds(['pci']));
      const input = { ...inputOf({ language, text }), level, redaction: redaction.input(false) };
      const spokenWords = text
        .split(' ')
        .map((word, n) => ({ text: ` ${word}`, startMs: 300 * n, endMs: 300 * n + 250, confidence: 0.9 }));
      const segment = { ...input.pieces[0]!, noSpeechProbability: 0 };
      const { refined, segments, words } = redaction.conceal(
        { segments: [segment], words: spokenWords },
        input,
        await refiner.refine(input, NEVER),
        [],
      );
      const cues = subtitles(writtenWords({ ...refined, words, segments })).map(({ lines }) => lines);
      assertNone(
        [
          refined.text,
          refined.rawText,
          refined.edits,
          segments.map((each) => each.text),
          words.map((each) => each.text),
          cues,
        ],
        number,
        speaker,
      );
      assert.match(refined.text, /\[CARD_1\]/u);
    }),
    { numRuns: 120 },
  );
});

test('a card number over several finals, cut anywhere, leaves nothing in any of them', async () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 24 }), { minLength: 1, maxLength: 3 });
  const live = said.filter(({ form }) => form !== 'together' && form !== 'dashes');
  await fc.assert(
    fc.asyncProperty(live, cuts, async ({ number, speaker, form, level }, at) => {
      const words = [speaker.before, spokenAs(number, form, speaker), speaker.after].join(' ').split(' ');
      const borders = [...new Set(at.filter((cut) => cut < words.length))].sort((a, b) => a - b);
      const redaction = new SessionRedaction(redactedKinds(['pci']));
      const finals: unknown[] = [];
      for (const [n, from] of [0, ...borders].entries()) {
        const text = words.slice(from, borders[n] ?? words.length).join(' ');
        const input = {
          ...inputOf({ language: speaker.language, text }),
          level,
          redaction: redaction.input(n < borders.length),
        };
        const refined = await refiner.refine(input, NEVER);
        redaction.remember(input, refined);
        finals.push([refined.text, refined.rawText, refined.edits]);
      }
      for (const final of finals) assertNone(final, number, speaker);
    }),
    { numRuns: 120 },
  );
});
