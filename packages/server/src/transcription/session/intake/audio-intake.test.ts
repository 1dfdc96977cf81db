import assert from 'node:assert/strict';
import test from 'node:test';
import { SAMPLE_RATE_HZ } from '../../../audio/pcm.ts';
import { SampleBuffer } from '../../recognition/sample-buffer.ts';
import { AudioIntake } from './audio-intake.ts';
import { WaitingAudio } from './waiting-audio.ts';

test('audio counts as waiting until it is processed, not until the next write', async () => {
  const waiting = new WaitingAudio();
  const intake = new AudioIntake({
    buffer: new SampleBuffer(),
    probe: {
      push: async (samples) => new Float32Array(Math.floor(samples.length / 512)),
      flush: async () => new Float32Array(0),
      close: () => undefined,
    },
    waiting,
    waitingName: 'acme',
    waitingSecondsMax: 60,
    pendingSamplesMax: 45 * SAMPLE_RATE_HZ,
    unrecognisedSamples: () => 0,
    onJudged: () => undefined,
    onFailure: (failure) => assert.fail(String(failure)),
  });
  const hasRoomFor = (seconds: number) => waiting.mayGrow('acme', 21, 60 - seconds);
  const written = intake.write(new Float32Array(40 * SAMPLE_RATE_HZ));
  assert.equal(hasRoomFor(30), false);
  await written;
  await intake.judged();
  assert.equal(hasRoomFor(60), true);
  intake.close();
  intake.makeRoom();
  assert.equal(hasRoomFor(60), true);
});
