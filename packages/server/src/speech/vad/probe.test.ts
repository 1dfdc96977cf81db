import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { VOICE_FRAME_SAMPLES as FRAME } from '../recogniser.ts';
import { QueuedVoiceProbe } from './probe.ts';
import type { VadRequest, VadResult } from './silero-model.ts';

/** Returns the first sample of each frame as its probability, and checks the context. */
const scriptedModel = () => {
  const requests: VadRequest[] = [];
  let context = new Float32Array(64);
  const ask = async (request: VadRequest): Promise<VadResult> => {
    requests.push(request);
    assert.deepEqual(request.samples.slice(0, 64), context);
    context = request.samples.slice(-64);
    const frames = (request.samples.length - 64) / FRAME;
    assert.ok(Number.isInteger(frames));
    const probabilities = Float32Array.from(
      { length: frames },
      (_, frame) => request.samples[64 + frame * FRAME] ?? -1,
    );
    return { probabilities, state: Float32Array.of((request.state[0] ?? 0) + frames) };
  };
  return { requests, ask };
};

test('each push gets the frames that it completes, in order, however the samples are split', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 1500 }), { maxLength: 12 }), async (lengths) => {
      const { ask } = scriptedModel();
      const probe = new QueuedVoiceProbe(ask, 1);
      let at = 0;
      const counting = lengths.map((length) => {
        const piece = Float32Array.from({ length }, (_, index) => at + index);
        at += length;
        return probe.push(piece);
      });
      const got = [...(await Promise.all(counting)), await probe.flush()].flatMap((part) => [...part]);
      assert.deepEqual(
        got,
        Array.from({ length: Math.ceil(at / FRAME) }, (_, frame) => frame * FRAME),
      );
    }),
  );
});

test('samples that arrive during a batch are sent together', async () => {
  const { ask, requests } = scriptedModel();
  const probe = new QueuedVoiceProbe(ask, 1);
  await Promise.all(Array.from({ length: 20 }, () => probe.push(new Float32Array(FRAME))));
  assert.equal(requests.length, 2);
});

test('a long push is processed in bounded batches', async () => {
  const { ask, requests } = scriptedModel();
  const probe = new QueuedVoiceProbe(ask, 1);
  assert.equal((await probe.push(new Float32Array(FRAME * 2500))).length, 2500);
  assert.deepEqual(
    requests.map(({ samples }) => (samples.length - 64) / FRAME),
    [1000, 1000, 500],
  );
});

test('a failure or a close rejects all pending pushes', async () => {
  const failing = new QueuedVoiceProbe(() => Promise.reject(new Error('gone')), 1);
  await assert.rejects(failing.push(new Float32Array(FRAME)), /gone/);
  await assert.rejects(failing.push(new Float32Array(FRAME)), /gone/);
  const closed = new QueuedVoiceProbe(() => new Promise(() => {}), 1);
  const waiting = closed.push(new Float32Array(FRAME));
  closed.close();
  await assert.rejects(waiting, /closed/);
});
