// Tests redaction on its corpus: recall, precision, and that no hidden text remains anywhere.
import assert from 'node:assert/strict';
import test from 'node:test';
import { REFINE_LEVELS, redactedKinds } from '@faircopy/contract';
import { subtitles, writtenWords } from '@faircopy/transcript';
import { createRefiner } from '../../../src/refine/create-refiner.ts';
import { applyEdits } from '../../../src/refine/edits.ts';
import type { Refined, RefineInput } from '../../../src/refine/refiner.ts';
import { SessionRedaction } from '../../../src/transcription/text/session-redaction.ts';
import { inputOf, PII, type RedactionCase, redactionCases, scoreRedaction, timedWords } from './corpus.ts';

const PERSONAL = redactionCases().filter(({ personal, kinds }) => personal.length > 0 && kinds === PII);
const NEVER = new AbortController().signal;
const refiner = createRefiner({ tagger: null });

test('at least 98 % of the personal data is found, and at most 3 % of the marks are wrong', (t) => {
  const { cases, traps, recall, precision, faults } = scoreRedaction();
  t.diagnostic(`${cases} cases, ${traps} traps: recall ${recall.toFixed(4)}, precision ${precision.toFixed(4)}`);
  assert.ok(cases >= 400 && traps >= 0.45 * cases);
  assert.ok(recall >= 0.98 && precision >= 0.97, faults.join('\n'));
});

test('speech in another language than the reported one is redacted too', (t) => {
  const { recall, precision } = scoreRedaction(({ language }) => (language === 'en' ? 'de' : 'en'));
  t.diagnostic(`recall ${recall.toFixed(4)}, precision ${precision.toFixed(4)}`);
  assert.ok(recall >= 0.9 && precision >= 0.97);
});

/** Text that must not appear anywhere: groups of three or more digits, and e-mail addresses. */
const secretsOf = ({ text, personal }: RedactionCase): string[] =>
  personal.flatMap(({ start, end }) => text.slice(start, end).match(/\d{3,}|\S+@\S+/gu) ?? []);

const concealed = async (each: RedactionCase, level: RefineInput['level']) => {
  const redaction = new SessionRedaction(PII);
  const input = { ...inputOf(each), level, redaction: redaction.input(false) };
  const [piece] = input.pieces;
  const segment = { ...piece!, noSpeechProbability: 0 };
  const refined = await refiner.refine(input, NEVER);
  return redaction.conceal({ segments: [segment], words: timedWords(each.text) }, input, refined, []);
};

test('at every level, no part of a transcript and no subtitle shows what is hidden', async () => {
  let secrets = 0;
  for (const each of PERSONAL)
    for (const level of REFINE_LEVELS) {
      const { refined, segments, words } = await concealed(each, level);
      const cues = subtitles(writtenWords({ ...refined, words, segments }));
      const { redaction: _, ...shown } = refined;
      const texts = [...segments, ...words].map(({ text }) => text);
      const everything = JSON.stringify([shown, texts, cues.map(({ lines }) => lines)]);
      for (const secret of secretsOf(each)) {
        secrets += 1;
        assert.equal(everything.includes(secret), false, `${level}: ${secret} in ${everything}`);
      }
      assert.match(refined.rawText, /\[[A-Z_]+_\d\]/u);
      assert.equal(segments.map(({ text }) => text).join(' '), refined.rawText);
      const [first, last] = [words[0], words.at(-1)];
      assert.ok(first?.startMs === 0 && last?.endMs === timedWords(each.text).at(-1)?.endMs, 'word times stay');
    }
  assert.ok(secrets > 500);
});

test('edits turn the redacted raw text into the redacted text', async () => {
  for (const each of PERSONAL) {
    const { refined } = await concealed(each, 'standard');
    for (const { rawStart, rawEnd, before } of refined.edits)
      assert.equal(before, refined.rawText.slice(rawStart, rawEnd));
    assert.equal(applyEdits(refined.rawText, refined.edits), refined.text);
  }
});

/** Redacts the words as two finals of a live stream, cut before word `at`. */
const cutInTwo = async (each: RedactionCase, words: readonly string[], at: number): Promise<Refined[]> => {
  const redaction = new SessionRedaction(PII);
  const finals: Refined[] = [];
  for (const [n, part] of [words.slice(0, at), words.slice(at)].entries()) {
    const asked = { ...inputOf({ ...each, text: part.join(' ') }), redaction: redaction.input(n === 0) };
    const refined = await refiner.refine(asked, NEVER);
    redaction.remember(asked, refined);
    finals.push(refined);
  }
  return finals;
};

test('a number that is split across two finals is hidden on both sides', async (t) => {
  let [cuts, shown] = [0, 0];
  const leaks: string[] = [];
  for (const each of PERSONAL) {
    const digits = each.text.match(/\d/gu)?.length ?? 0;
    // Only numbers long enough to be spoken in parts.
    if (digits < 7 || /@|\./u.test(each.text)) continue;
    const words = each.text.split(' ');
    for (let at = 1; at < words.length; at += 2) {
      const finals = await cutInTwo(each, words, at);
      const text = finals.map(({ rawText }) => rawText).join(' ');
      cuts += 1;
      const left = secretsOf(each).filter((secret) => text.split(/[^\d]/u).includes(secret));
      if (left.length > 0) leaks.push(`${finals.map(({ rawText }) => rawText).join(' | ')}`);
      if (left.length > 0) shown += 1;
    }
  }
  t.diagnostic(`${cuts} cuts, ${shown} with three or more digits of a number left`);
  assert.ok(cuts > 400 && shown / cuts < 0.02, leaks.join('\n'));
});

test('equal values get equal marks, also across finals, and different values get different marks', async () => {
  const redaction = new SessionRedaction(PII);
  const texts = [
    'call 555-123-4567 or 555-123-9999 please',
    'that was 555-123-4567 and my card is 4242 4242 4242 4242 okay',
    'the card is four two four two four two four two four two four two four two four two right',
  ];
  const shown: string[] = [];
  for (const text of texts) {
    const asked = { ...inputOf({ language: 'en', text }), redaction: redaction.input(true) };
    const refined = await refiner.refine(asked, NEVER);
    redaction.remember(asked, refined);
    shown.push(refined.rawText);
  }
  assert.deepEqual(shown, [
    'call [PHONE_1] or [PHONE_2] please',
    'that was [PHONE_1] and my card is [CARD_1] okay',
    'the card is [CARD_1] right',
  ]);
});

test('each name hides only its own kind; numbers and dates hide all numbers and dates', async () => {
  const said = 'call 555-123-4567, card 4242 4242 4242 4242, on March 5th 2024 we sold 4500 units';
  const hide = async (names: Parameters<typeof redactedKinds>[0]) =>
    (await refiner.refine({ ...inputOf({ language: 'en', text: said }, redactedKinds(names)), level: 'none' }, NEVER))
      .text;
  assert.equal(await hide([]), said);
  assert.equal(await hide(['pci']), said.replace('4242 4242 4242 4242', '[CARD_1]'));
  assert.equal(await hide(['phone']), said.replace('555-123-4567', '[PHONE_1]'));
  assert.equal(await hide(['dates']), said.replace('March 5th 2024', '[DATE_1]'));
  assert.doesNotMatch((await hide(['numbers'])).replace(/\[\w+\]/gu, ''), /\d{3}/u);
});

test('an unnamed long number is hidden only if every kind that it may be is hidden', async () => {
  const hide = async (text: string, names: Parameters<typeof redactedKinds>[0]) =>
    (await refiner.refine({ ...inputOf({ language: 'en', text }, redactedKinds(names)), level: 'none' }, NEVER)).text;
  const said = 'let me read it out, 48 213 790 6, is that it';
  assert.equal(await hide(said, ['pii']), 'let me read it out, [NUMBER_1], is that it');
  assert.equal(await hide(said, ['phone', 'pci']), said);
  for (const counted of [
    'we saw 48 213 790 people',
    'the claim number is 48 213 790 6',
    'they won 21 17, 19 21, 21 15',
  ])
    assert.equal(await hide(counted, ['pii']), counted);
});

test('interims hold back an unfinished number or e-mail address', () => {
  const redaction = new SessionRedaction(PII);
  const shown = (text: string, language = 'en') => {
    const words = timedWords(text);
    const interim = { startMs: 0, endMs: 9_000, words, committed: words.length, language };
    const { words: left, committed } = redaction.concealInterim(interim);
    assert.ok(committed <= left.length);
    return left.map((word) => word.text.trim()).join(' ');
  };
  assert.equal(shown('my card is four two four two'), 'my card is');
  assert.equal(shown('my card is four two four two', 'de'), 'my card is');
  assert.equal(shown('my card is 4242 4242 4242 4242 and it'), 'my card is [CARD_1] and it');
  assert.equal(shown('write an email to jane dot doe at'), 'write an email');
  assert.equal(shown('we sold many things'), 'we sold many things');
});
