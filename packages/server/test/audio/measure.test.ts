// Tests files that are measured but not decoded: their memory, their turns, and which faults are found.
import assert from 'node:assert/strict';
import test from 'node:test';
import { opusPacketFrames } from '../../src/audio/codecs/opus-packet.ts';
import { DecodeTask } from '../../src/audio/threads/decode-task.ts';
import type { Measure } from '../../src/audio/upload-decoding.ts';
import { OPUS_NOTHING_120_MS, repeat, writeOggOpus } from './ogg-writer.ts';

const opened = (measure: Measure, maxDurationSeconds = 300): DecodeTask =>
  new DecodeTask({
    op: 'open',
    task: 1,
    owner: 'a',
    input: { kind: 'upload', maxDurationSeconds, formats: 'all', measure },
    creditSamples: 0,
  });

const ogg = (packet: Uint8Array, count: number): Uint8Array =>
  writeOggOpus(repeat(packet, count), opusPacketFrames, { packetsPerPage: 100, preSkip: 0 });

/** Runs the task until it needs bytes or has ended. */
const run = async (task: DecodeTask) => {
  for (;;) {
    const { report, runAgain } = await task.slice(() => undefined);
    if (!runAgain) return report;
  }
};

test('an upload whose length is counted opens no decoder', async (t) => {
  const file = ogg(OPUS_NOTHING_120_MS, 500);
  const before = process.memoryUsage().external;
  for (let nth = 0; nth < 10; nth++) {
    const task = opened('length');
    t.after(() => task.free());
    task.push(file.slice());
    const report = await run(task);
    assert.equal(report?.decodedSeconds, 60);
  }
  // One Opus decoder takes 28 MB.
  const grown = process.memoryUsage().external - before;
  assert.ok(grown < 8 * 2 ** 20, `${grown} bytes`);
});

test('audio that is too long is refused as soon as its bytes have arrived, however it is measured', async (t) => {
  for (const measure of ['length', 'codec'] as const) {
    const task = opened(measure, 59);
    t.after(() => task.free());
    // So many packets that they are counted in several turns.
    task.push(ogg(OPUS_NOTHING_120_MS, 20_000));
    const outcome = (await run(task))?.outcome;
    assert.ok(outcome?.kind === 'refused');
    assert.equal(outcome.code, 'AUDIO_TOO_LONG');
  }
});

test('many packets are counted in several turns, so that other tasks can run', async (t) => {
  const task = opened('length', 10_000);
  t.after(() => task.free());
  task.push(ogg(OPUS_NOTHING_120_MS, 20_000));
  assert.equal((await task.slice(() => undefined)).runAgain, true);
  assert.equal((await run(task))?.decodedSeconds, 2_400);
});

test('damaged packets are refused when the codec is checked, but not when only the length is counted', async (t) => {
  const damaged = ogg(new Uint8Array([0x0b, 0xff, 0xff, 0xff]), 5);
  const outcomeOf = async (measure: Measure) => {
    const task = opened(measure);
    t.after(() => task.free());
    task.push(damaged);
    task.end();
    return (await run(task))?.outcome?.kind;
  };
  assert.deepEqual([await outcomeOf('codec'), await outcomeOf('length')], ['refused', 'ended']);
});
