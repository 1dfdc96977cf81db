import assert from 'node:assert/strict';
import test from 'node:test';
import { AAC_SILENCE, aacConfig } from '../aac-writer.ts';
import { cafChunk, cafData, cafPackets, cafStart } from '../caf-writer.ts';
import { decodeBytes, refused } from '../decode-bytes.ts';
import { repeat } from '../ogg-writer.ts';
import { concat, pcm16Bytes, tone } from '../wav-writer.ts';

const decodeAll = (file: Uint8Array) => decodeBytes(file, { formats: 'all', pieceBytes: 777 });

test('PCM is decoded exactly, even with an unknown size', async () => {
  const pcm = pcm16Bytes(tone(300, 1, 16_000));
  const start = cafStart({ format: 'lpcm', flags: 2, bits: 16 });
  for (const file of [concat(start, cafData(pcm)), concat(start, cafChunk('info', pcm), cafData(pcm, -1))]) {
    assert.deepEqual(pcm16Bytes((await decodeAll(file)).samples), pcm);
  }
});

test('AAC with its packet table before or after the packets', async () => {
  const packets = repeat(AAC_SILENCE, 25);
  const start = concat(cafStart({ format: 'aac ' }), cafChunk('kuki', aacConfig(16_000, 1)));
  const table = cafPackets(packets, 1024, 500);
  const data = cafData(concat(...packets));
  for (const file of [concat(start, table, data), concat(start, data, table)]) {
    assert.equal((await decodeAll(file)).durationSeconds, (24 * 1024 - 500) / 16_000);
  }
  await assert.rejects(decodeAll(concat(start, data)), refused(/before its packet table/));
});

test('unsupported files are refused with a specific message', async () => {
  const table = cafPackets([], 0, 0);
  await assert.rejects(decodeAll(concat(cafStart({ format: 'ima4' }), table, cafData(AAC_SILENCE))), refused(/"ima4"/));
  await assert.rejects(decodeAll(cafStart({ format: 'lpcm', channels: 0 })), refused(/0 channels/));
  await assert.rejects(decodeAll(cafStart({ format: 'lpcm' })), refused(/before its audio starts/));
  await assert.rejects(decodeBytes(cafStart({ format: 'lpcm' })), refused(/Core Audio file; send wav/));
});
