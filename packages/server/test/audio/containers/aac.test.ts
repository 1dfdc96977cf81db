import assert from 'node:assert/strict';
import test from 'node:test';
import { AAC_SILENCE, aacConfig, adtsFrame, heAacConfig } from '../aac-writer.ts';
import { decodeBytes, refused } from '../decode-bytes.ts';
import { id3Tag } from '../mp3-writer.ts';
import { aacEntry, mp4File } from '../mp4-writer.ts';
import { repeat } from '../ogg-writer.ts';
import { concat } from '../wav-writer.ts';

const secondsOf = async (file: Uint8Array) => (await decodeBytes(file, { formats: 'all' })).durationSeconds;
const frame = adtsFrame(AAC_SILENCE);
const frames = (count: number) => concat(...repeat(frame, count));

test('ADTS: every frame has 1024 samples; a truncated last frame is dropped', async () => {
  assert.equal(await secondsOf(frames(125)), 8);
  assert.equal(await secondsOf(frames(125).subarray(0, -1)), 8 - 0.064);
  assert.equal(await secondsOf(concat(id3Tag(new Uint8Array(73)), frames(25))), 1.6);
});

test('ADTS: after damage, decoding resumes at the next frame', async () => {
  assert.equal(await secondsOf(concat(frames(25), new Uint8Array(333).fill(7), frames(25))), 3.2);
});

test('ADTS: an undecodable packet is dropped', async () => {
  const coupling = adtsFrame(Uint8Array.of(0x40, 0, 0, 0));
  assert.equal(await secondsOf(concat(frames(25), coupling, frames(25))), 3.2);
  await assert.rejects(secondsOf(concat(...repeat(coupling, 20))), refused(/damaged/));
});

test('profiles other than low complexity are refused by name', async () => {
  await assert.rejects(secondsOf(concat(...repeat(adtsFrame(AAC_SILENCE, 16_000, 1, 0), 9))), refused(/AAC Main/));
  const eld = mp4File({ entry: aacEntry(aacConfig(16_000, 1, 23)), ticksPerSecond: 16_000 }, [AAC_SILENCE]);
  await assert.rejects(secondsOf(eld), refused(/AAC-LD/));
});

test('HE-AAC has the duration of its core, whichever rate the index uses', async () => {
  for (const ticksPerSecond of [24_000, 48_000]) {
    const ticks = (1024 * ticksPerSecond) / 24_000;
    const file = mp4File(
      {
        entry: aacEntry(heAacConfig(24_000, 1), 48_000),
        ticksPerSecond,
        times: [
          [74, ticks],
          [1, ticks / 4],
        ],
        edits: [[3126, ticks]],
      },
      repeat(AAC_SILENCE, 75),
    );
    assert.equal(await secondsOf(file), (73 * 1024 + 256) / 24_000);
  }
});

test('outside the contract, the format is refused by name', async () => {
  await assert.rejects(decodeBytes(frames(10)), refused(/an AAC file; send wav, ogg or webm/));
});
