import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecogniserUnavailable } from '../../speech/recogniser.ts';
import { EnergyProbe } from '../../speech/testing/energy-probe.ts';
import { ToneSpeakers } from '../../speech/testing/tone-speakers.ts';
import { joined, quiet, spoken } from '../../speech/testing/tones.ts';
import { checkSpeech, enrolVoice, heardSeconds } from './enrolment.ts';

/** Words of one voice are within an octave. */
const LOW = Array.from({ length: 40 }, (_, index) => ['apple', 'bridge', 'candle'][index % 3]!);
const HIGH = Array.from({ length: 40 }, (_, index) => ['quarry', 'river', 'saddle'][index % 3]!);
const STEADY = { wordMs: 900, pauseMs: 100 };

const enrol = (samples: Float32Array, speakers = new ToneSpeakers()) =>
  enrolVoice(samples, {
    openSpeakers: () => speakers.open('test'),
    openVoiceProbe: () => new EnergyProbe(),
  });

test('ten seconds of one voice make a print; speech after the first 30 seconds is ignored', async () => {
  const voice = await enrol(spoken(LOW.slice(0, 11), STEADY));
  assert.ok(voice.speechSeconds >= 9 && voice.speechSeconds <= 11);
  assert.ok(Math.abs(Math.hypot(...voice.embedding) - 1) < 1e-3);
  const long = await enrol(joined(spoken(LOW.slice(0, 36), STEADY), spoken(HIGH.slice(0, 8), STEADY)));
  assert.equal(long.speechSeconds, 30);
});

test('two seconds of speech and silence are both too short', async () => {
  for (const samples of [spoken(LOW.slice(0, 2), STEADY), quiet(20), new Float32Array(16_000), new Float32Array(0)])
    await assert.rejects(enrol(samples), { code: 'VOICE_TOO_SHORT' });
  await assert.rejects(enrol(spoken(LOW.slice(0, 2), STEADY)), /has [12]\.\d seconds of speech. At least 8 /);
});

test('two voices are refused', async () => {
  await assert.rejects(enrol(joined(spoken(LOW.slice(0, 8), STEADY), spoken(HIGH.slice(0, 8), STEADY))), {
    code: 'VOICES_MIXED',
  });
});

test('a recording that is mostly music or noise is refused as unclear', () => {
  assert.throws(() => checkSpeech(5, 20), { code: 'VOICE_UNCLEAR' });
  assert.throws(() => checkSpeech(9, 30), { code: 'VOICE_UNCLEAR' });
  assert.throws(() => checkSpeech(5, 6), { code: 'VOICE_TOO_SHORT' });
  checkSpeech(9, 12);
});

test('a hum counts as audible, pauses do not', () => {
  assert.ok(heardSeconds(joined(spoken(LOW.slice(0, 3), STEADY), quiet(10))) < 4);
  assert.equal(heardSeconds(quiet(10)), 0);
  assert.ok(heardSeconds(Float32Array.from({ length: 160_000 }, (_, at) => 0.1 * Math.sin(at / 9))) > 9.9);
});

test('unavailable models give SERVICE_UNAVAILABLE, so that the caller may retry', async () => {
  const speakers = new ToneSpeakers();
  speakers.failure = new RecogniserUnavailable('gone');
  await assert.rejects(enrol(spoken(LOW.slice(0, 11), STEADY), speakers), { code: 'SERVICE_UNAVAILABLE' });
});
