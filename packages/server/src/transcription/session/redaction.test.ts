// Sessions that hide personal data: whole recordings, live finals, interims and stable text.
import assert from 'node:assert/strict';
import test from 'node:test';
import { redactedKinds } from '@faircopy/contract';
import { createRefiner } from '../../refine/create-refiner.ts';
import type { Refiner } from '../../refine/refiner.ts';
import type { Recognition, SpeechWindow } from '../../speech/recogniser.ts';
import { ScriptedEngine } from '../../speech/testing/scripted-engine.ts';
import { joined, quiet, spoken } from '../../speech/testing/tones.ts';
import { passthroughRefiner } from '../testing/passthrough-refiner.ts';
import { InlineRefinementStage } from '../text/refinement-stage.ts';
import type { FinalPolicy, SessionEvent } from '../transcriber.ts';
import { REQUEST, scriptedService, speakInto } from './testing/scripted-session.ts';

/** What the tones say. */
const SAYS: Readonly<Record<string, string>> = {
  apple: 'my',
  bridge: 'card',
  candle: 'is',
  desk: '4242',
  engine: '4242',
  forest: '4242',
  garden: '4242',
  harbour: 'thanks',
};
const SENTENCE = ['apple', 'bridge', 'candle', 'desk', 'engine', 'forest', 'garden', 'harbour'];

const asSaid = (_: SpeechWindow, recognition: Recognition): Recognition => ({
  ...recognition,
  text: recognition.text.replace(/\w+/gu, (tone) => SAYS[tone] ?? tone),
  words: recognition.words.map((word) => ({ ...word, text: word.text.replace(/\w+/u, (tone) => SAYS[tone] ?? tone) })),
});

const REDACTED = { ...REQUEST, mode: 'stream', languageHint: 'en', redaction: redactedKinds(['pii']) } as const;

const failing: Refiner = { refine: () => Promise.reject(new Error('no refinement today')) };

const transcribe = async (samples: Float32Array, finals: FinalPolicy, refiner: Refiner): Promise<SessionEvent[]> => {
  const engine = new ScriptedEngine({ slots: 2, answer: asSaid });
  const service = scriptedService(engine, { refinementStage: new InlineRefinementStage(refiner) });
  const events: SessionEvent[] = [];
  const session = service.open({ ...REDACTED, finals }, (event) => events.push(event));
  session.emitStableText();
  await speakInto(session, samples);
  await session.finish();
  return events;
};

const textsOf = (events: readonly SessionEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'final' ? [event.final.transcript.text] : []));

const WHOLE: FinalPolicy = { kind: 'whole' };
const LIVE: FinalPolicy = { kind: 'utterances', endpointingMs: 300, wantInterims: true };
const assertHidden = (events: readonly SessionEvent[]) => {
  const shown = JSON.stringify(events).replace(/"\w+(?:Ms|Sample|Count|confidence)":[\d.]+/gu, '');
  assert.doesNotMatch(shown, /4242/u);
};

for (const [name, refiner] of [
  ['the refiner', createRefiner({ tagger: null })],
  ['a refiner that hides nothing', passthroughRefiner],
] as const)
  test(`a whole recording with ${name}: one mark that lasts as long as the number`, async () => {
    const events = await transcribe(joined(quiet(0.3), spoken(SENTENCE), quiet(1)), WHOLE, refiner);
    assertHidden(events);
    const final = events.find((event) => event.type === 'final')!.final.transcript;
    assert.match(final.text, /^my card is \[CARD_1\]\.? thanks/iu);
    assert.equal(final.words.length, 5);
    const [, , is, mark, thanks] = final.words;
    assert.equal(mark?.text.trim(), '[CARD_1]');
    assert.ok(mark.startMs >= is!.endMs && mark.endMs <= thanks!.startMs && mark.endMs - mark.startMs > 1_000);
    const stable = events.flatMap((event) => (event.type === 'stable_text' ? [event.text] : []));
    assert.equal(stable.join(''), final.text);
  });

test('live: a number within an utterance, with interims', async () => {
  const samples = joined(quiet(0.3), spoken(SENTENCE), quiet(1));
  const events = await transcribe(samples, LIVE, createRefiner({ tagger: null }));
  assertHidden(events);
  assert.match(textsOf(events).join(''), /my card is \[CARD_1\]\.? thanks/iu);
});

test('live: a number over two utterances is hidden in both', async () => {
  const [first, second] = [SENTENCE.slice(0, 5), SENTENCE.slice(5)];
  const samples = joined(quiet(0.3), spoken(first), quiet(1), spoken(second), quiet(1));
  const events = await transcribe(samples, LIVE, createRefiner({ tagger: null }));
  assertHidden(events);
  const texts = textsOf(events).filter((text) => text !== '');
  assert.equal(texts.length, 2);
  assert.match(texts[0]!, /my card is \[NUMBER_1\]/iu);
  assert.match(texts[1]!, /^\[CARD_1\]\.? thanks/iu);
});

test('live: personal data is hidden even in text that could not be refined', async () => {
  const events = await transcribe(joined(quiet(0.3), spoken(SENTENCE), quiet(1)), LIVE, failing);
  assertHidden(events);
  assert.match(textsOf(events).join(''), /my card is \[CARD_1\]\.? thanks/iu);
});
