// Tests the order of events at both vendors' live endpoints, for any voice activity and any delay of recognition.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { play, type Script, type Step, scripts } from './play.ts';
import { checkDeepgram, checkFlux, checkRealtime, voicedAt } from './vendor-rules.ts';

const checkOrder = async (script: Script): Promise<void> => {
  const { deepgram, realtime, flux, isOpen } = await play(script);
  const isVoice = voicedAt(script.steps);
  checkDeepgram(deepgram, isVoice);
  checkRealtime(realtime, isVoice);
  checkFlux(flux, isVoice);
  assert.equal(isOpen, false, 'every item is completed');
};

const RUNS = Number(process.env.FAIRCOPY_TEST_RUNS ?? 50);
const SEEDS = {
  'the same scripts in every run': 1,
  'other scripts': Number(process.env.FAIRCOPY_TEST_SEED ?? 11),
};

for (const [name, seed] of Object.entries(SEEDS)) {
  test(`events come in a possible order, and never for a pause that is over: ${name}`, async (t) => {
    t.diagnostic(`FAIRCOPY_TEST_SEED=${seed}`);
    await fc.assert(fc.asyncProperty(scripts, checkOrder), { numRuns: RUNS, seed });
  });
}

const voice = (frames: number, answers = 0): Step => ({ frames, probability: 0.95, answers, flushes: false });
const silence = (frames: number, answers = 0): Step => ({ frames, probability: 0.02, answers, flushes: false });

test('a late final does not end an utterance once somebody speaks again', async () => {
  // The first final waits until the second utterance has begun.
  const steps = [silence(10), voice(30), silence(60), voice(20, 3), voice(10), silence(80)];
  const { deepgram, realtime } = await play({ steps, endpointingMs: 300, byTurns: false });
  const finals = deepgram.filter(({ type, is_final }) => type === 'Results' && is_final === true);
  assert.deepEqual(
    finals.filter(({ speech_final }) => speech_final).length,
    1,
    'only the second pause ends the utterance',
  );
  assert.equal(deepgram.filter(({ type }) => type === 'UtteranceEnd').length, 1);
  assert.equal(realtime.filter(({ type }) => type === 'input_audio_buffer.committed').length, 2);
});

test('the last word of a final is not repeated by the interims after it', async () => {
  const steps = [voice(58, 1), voice(6, 1), voice(28, 1), voice(7, 1), { ...silence(12), flushes: true }];
  await checkOrder({ steps, endpointingMs: 200, byTurns: false });
});
