import assert from 'node:assert/strict';
import test from 'node:test';
import { writeAiff } from '../aiff-writer.ts';
import { decodeBytes, refused } from '../decode-bytes.ts';
import { pcm16Bytes, tone, wavChunk } from '../wav-writer.ts';

const little = pcm16Bytes(tone(300, 1, 16_000));
const big = little.map((_, at) => little[at ^ 1]!);
const decodeAll = (file: Uint8Array) => decodeBytes(file, { formats: 'all', pieceBytes: 777 });

test('AIFF and AIFC are decoded exactly in both byte orders', async () => {
  const files = [
    writeAiff(big),
    writeAiff(big, { coding: 'NONE', before: [wavChunk('ANNO', new Uint8Array(31), true)] }),
    writeAiff(little, { coding: 'sowt' }),
    writeAiff(big, { declaredDataBytes: 0 }),
  ];
  for (const file of files) assert.deepEqual(pcm16Bytes((await decodeAll(file)).samples), little);
});

test('the rate is read from an 80-bit float', async () => {
  for (const sampleRateHz of [8000, 11_025, 44_100, 192_000]) {
    const file = writeAiff(new Uint8Array(sampleRateHz * 4), { sampleRateHz, channels: 2 });
    assert.equal((await decodeAll(file)).durationSeconds, 1);
  }
});

test('unsupported files are refused with a specific message', async () => {
  await assert.rejects(decodeAll(writeAiff(big, { coding: 'ima4' })), refused(/ima4/));
  await assert.rejects(decodeAll(writeAiff(big, { channels: 0 })), refused(/0 channels/));
  await assert.rejects(decodeAll(writeAiff(big).subarray(0, 30)), refused(/before its format header/));
  await assert.rejects(decodeBytes(writeAiff(big)), refused(/an AIFF file; send wav/));
});
