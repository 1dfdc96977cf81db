// Tests the decoder through its interface: any chunk size, aborts at any point, threads that crash or hang.
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import test from 'node:test';
import { CHANNEL_BLOCK_SECONDS, HEARD } from '../../src/audio/channel-activity.ts';
import { opusPacketFrames } from '../../src/audio/codecs/opus-packet.ts';
import { createUploadDecoding } from '../../src/audio/create-upload-decoding.ts';
import { corpus } from '../fuzz/corpus.ts';
import { decodeBytes, decoding, drain } from './decode-bytes.ts';
import { OPUS_SILENCE_20_MS, repeat, writeOggOpus } from './ogg-writer.ts';
import { ascii, pcm16Bytes, tone, writeWav } from './wav-writer.ts';

for (const { container, name, bytes } of corpus()) {
  test(`${container}, ${name}: the same result whole, by seven bytes and byte by byte`, async () => {
    const whole = await decodeBytes(bytes, { formats: 'all' });
    for (const pieceBytes of [7, 1]) {
      assert.deepEqual(await decodeBytes(bytes, { pieceBytes, formats: 'all' }), whole);
    }
  });
}

test('the bytes of the caller are not changed, even as part of a larger buffer', async () => {
  const file = writeWav(pcm16Bytes(tone(440, 10, 16_000)));
  const larger = Buffer.concat([Buffer.alloc(100), file, Buffer.alloc(100)]);
  const before = Buffer.from(larger);
  const { durationSeconds } = await decodeBytes(larger.subarray(100, 100 + file.length));
  assert.equal(durationSeconds, 10);
  assert.deepEqual(larger, before);
});

test('the activity of two channels is complete, whatever the chunk size', async () => {
  const seconds = 3;
  const left = tone(440, seconds, 16_000);
  const samples = Float32Array.from({ length: 2 * left.length }, (_, at) => (at % 2 ? 0 : (left[at >> 1] ?? 0)));
  const file = writeWav(pcm16Bytes(samples), { channels: 2 });
  for (const pieceBytes of [file.length, 1_000]) {
    const decoder = decoding.open({ maxDurationSeconds: 300 });
    await drain(decoder, file, pieceBytes);
    assert.deepEqual(
      [...(decoder.channelActivity ?? [])],
      new Array(seconds / CHANNEL_BLOCK_SECONDS).fill(HEARD.first),
    );
  }
});

test('an abort resolves or rejects pending and later reads and writes', async () => {
  const decoder = decoding.open({ maxDurationSeconds: 300 });
  const reading = decoder[Symbol.asyncIterator]().next();
  const writing = decoder.write(new Uint8Array(4 * 2 ** 20));
  decoder.abort();
  await assert.rejects(reading, { name: 'AbortError' });
  await writing;
  await decoder.write(new Uint8Array(10));
  decoder.end();
  decoder.abort();
  await assert.rejects(decoder[Symbol.asyncIterator]().next(), { name: 'AbortError' });
});

test('a signal aborts before and after the start; its listener is removed at the end', async () => {
  const gone = AbortSignal.abort();
  await assert.rejects(decoding.open({ maxDurationSeconds: 300, signal: gone })[Symbol.asyncIterator]().next(), {
    name: 'AbortError',
  });
  const controller = new AbortController();
  const decoder = decoding.open({ maxDurationSeconds: 300, signal: controller.signal });
  await drain(decoder, writeWav(pcm16Bytes(tone(440, 1, 16_000))));
  assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
  const late = decoding.open({ maxDurationSeconds: 300, signal: controller.signal });
  const reading = late[Symbol.asyncIterator]().next();
  controller.abort();
  await assert.rejects(reading, { name: 'AbortError' });
});

test('leaving the loop early frees the decoder', async () => {
  const decoder = decoding.open({ maxDurationSeconds: 300 });
  void decoder.write(writeWav(pcm16Bytes(tone(440, 20, 16_000))));
  for await (const samples of decoder) {
    assert.ok(samples.length > 0);
    break;
  }
  await assert.rejects(decoder[Symbol.asyncIterator]().next(), { name: 'AbortError' });
});

test('after aborts at many points, the next upload still decodes', async () => {
  const file = writeOggOpus(repeat(OPUS_SILENCE_20_MS, 500), opusPacketFrames);
  for (let at = 0; at < file.length; at += 97) {
    const decoder = decoding.open({ maxDurationSeconds: 300 });
    const reading = decoder[Symbol.asyncIterator]().next();
    void decoder.write(file.subarray(0, at));
    if (at % 2 === 0) await Promise.race([reading, decoder.write(file.subarray(at, at + 1))]);
    decoder.abort();
    await reading.catch((thrown) => assert.equal(thrown.name, 'AbortError'));
  }
  assert.equal((await decodeBytes(file)).durationSeconds, 10 - 312 / 48_000);
});

test('hundreds of concurrent uploads all end', async () => {
  const file = writeOggOpus(repeat(OPUS_SILENCE_20_MS, 25), opusPacketFrames, { preSkip: 0 });
  const all = await Promise.all(Array.from({ length: 150 }, () => decodeBytes(file, { pieceBytes: 60 })));
  assert.deepEqual(new Set(all.map(({ durationSeconds }) => durationSeconds)), new Set([0.5]));
});

test('a crashed or hung thread fails its upload only, not the next one', async () => {
  const script = new URL('./failing-worker.js', import.meta.url);
  const fragile = createUploadDecoding({ script, stallMs: 200, threads: 1 });
  const culprit = { code: 'AUDIO_FORMAT_UNSUPPORTED', message: /breaks the decoder/ };
  for (const failure of ['crash', 'exit', 'hang', 'exhaust']) {
    const bystander = decodeBytes(ascii('wait'), { decoding: fragile });
    const expected = assert.rejects(bystander, { code: 'SERVICE_UNAVAILABLE' });
    await assert.rejects(decodeBytes(ascii(failure), { decoding: fragile }), culprit, failure);
    await expected;
    assert.equal((await decodeBytes(ascii('work'), { decoding: fragile })).durationSeconds, 1);
  }
  await fragile.close();
});

test('closing ends open decoders and refuses new ones', async () => {
  const closing = createUploadDecoding();
  const reading = closing.open({ maxDurationSeconds: 300 })[Symbol.asyncIterator]().next();
  const expected = assert.rejects(reading, { code: 'SERVICE_UNAVAILABLE' });
  await closing.close();
  await expected;
  assert.throws(() => closing.open({ maxDurationSeconds: 300 }), { code: 'SERVICE_UNAVAILABLE' });
});
