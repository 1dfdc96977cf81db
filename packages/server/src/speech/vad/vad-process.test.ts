import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { InferenceSession, Tensor, type TypedTensor } from 'onnxruntime-node';
import { VOICE_FRAME_SAMPLES as FRAME, RecogniserUnavailable } from '../recogniser.ts';
import { VAD_WEIGHTS_ID } from '../store/needed.ts';
import { storedModels } from '../testing/stored-models.ts';
import { VadProcess } from './vad-process.ts';

const stored = await storedModels([VAD_WEIGHTS_ID]);
const real = { skip: 'skip' in stored ? stored.skip : false };
const modelPath = 'store' in stored ? join(stored.store.folderOf(VAD_WEIGHTS_ID), 'silero_vad_v6.onnx') : '';

/** A buzzing vowel that comes and goes, between noise and speech for the model. */
const babble = (seconds: number): Float32Array =>
  Float32Array.from({ length: seconds * 16_000 }, (_, n) => {
    const time = n / 16_000;
    let sum = 0;
    for (let harmonic = 1; harmonic < 20; harmonic++) {
      sum += Math.sin(2 * Math.PI * 130 * harmonic * time) / (1 + Math.abs(harmonic * 130 - 700) / 300);
    }
    return 0.1 * sum * Math.max(0, Math.sin(2 * Math.PI * 0.7 * time));
  });

/** The published model, one frame per call. */
const reference = async (samples: Float32Array): Promise<number[]> => {
  const session = await InferenceSession.create(modelPath, { intraOpNumThreads: 1 });
  const sr = new Tensor('int64', BigInt64Array.from([16_000n]), []);
  let state: TypedTensor<'float32'> = new Tensor('float32', new Float32Array(256), [2, 1, 128]);
  const padded = new Float32Array(64 + samples.length);
  padded.set(samples, 64);
  const probabilities: number[] = [];
  for (let start = 0; start + FRAME <= samples.length; start += FRAME) {
    const input = new Tensor('float32', padded.slice(start, start + 64 + FRAME), [1, 64 + FRAME]);
    const { output, stateN } = (await session.run({ input, state, sr })) as Record<string, typeof state>;
    probabilities.push(output?.data[0] ?? Number.NaN);
    if (stateN) state = stateN;
  }
  return probabilities;
};

test('the rewritten graph gives the probabilities of the published one, for any batch size', real, async (t) => {
  const voice = new VadProcess({ modelPath });
  t.after(() => voice.close());
  voice.start();
  const samples = babble(6).subarray(0, 180 * FRAME);
  const expected = await reference(samples);
  assert.ok(Math.max(...expected) - Math.min(...expected) > 0.2, 'the sound should affect the model');
  for (const piece of [samples.length, 1600, 333]) {
    const probe = voice.openProbe();
    const got: number[] = [];
    for (let at = 0; at < samples.length; at += piece) got.push(...(await probe.push(samples.slice(at, at + piece))));
    assert.equal(got.length, expected.length);
    got.forEach((probability, frame) => {
      assert.ok(Math.abs(probability - (expected[frame] ?? 0)) < 1e-4);
    });
  }
});

test('nothing is lost when the process dies', real, async (t) => {
  const voice = new VadProcess({ modelPath });
  t.after(() => voice.close());
  voice.start();
  await voice.ready();
  const samples = babble(3);
  const whole = await voice.openProbe().push(samples);
  const probe = voice.openProbe();
  const first = await probe.push(samples.slice(0, 20 * FRAME));
  process.kill(voice.status.pid ?? 0, 'SIGKILL');
  const second = await probe.push(samples.slice(20 * FRAME));
  const joined = [...first, ...second];
  assert.equal(joined.length, whole.length);
  joined.forEach((probability, frame) => {
    assert.ok(Math.abs(probability - (whole[frame] ?? 0)) < 1e-4);
  });
  assert.equal(voice.status.restarts, 1);
});

test('many streams are served concurrently', real, async (t) => {
  const voice = new VadProcess({ modelPath });
  t.after(() => voice.close());
  voice.start();
  const samples = babble(1);
  const answers = await Promise.all(Array.from({ length: 24 }, () => voice.openProbe().push(samples)));
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
});

test('an unreadable model file rejects ready() and pending pushes', async (t) => {
  const voice = new VadProcess({ modelPath: '/nowhere/silero.onnx' });
  t.after(() => voice.close());
  voice.start();
  const pushed = voice.openProbe().push(new Float32Array(FRAME));
  await assert.rejects(voice.ready(), /could not load/);
  await assert.rejects(pushed, RecogniserUnavailable);
});
