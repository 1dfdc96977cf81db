import assert from 'node:assert/strict';
import test from 'node:test';
import type { LiveDecoder } from '../../audio/upload-decoding.ts';
import type { Call } from '../call.ts';
import { FileProbe } from './file-probe.ts';
import { FileStart } from './file-start.ts';
import { Upload, type UploadParts } from './upload.ts';
import { UploadMemory } from './upload-memory.ts';

const MP4_START = Buffer.from('\0\0\0\x10ftypM4A 0000\x03\0\0\0mdat', 'latin1');
const WAV_START = Buffer.from('RIFF\xff\xff\xff\xffWAVE', 'latin1');
/** A start whose format the first chunk does not show. */
const chunksOf = (start: Uint8Array) => [
  start.subarray(0, 7),
  start.subarray(7),
  new Uint8Array(600),
  new Uint8Array(9),
];
const bytesIn = (chunks: readonly Uint8Array[]) => chunks.reduce((sum, { length }) => sum + length, 0);

const countingDecoder = () => {
  let writtenBytes = 0;
  const decoder = {
    write: async (bytes: Uint8Array) => {
      writtenBytes += bytes.length;
    },
    end: () => {},
    abort: () => {},
    async *[Symbol.asyncIterator]() {},
  };
  return { decoder: decoder as unknown as LiveDecoder, writtenBytes: () => writtenBytes };
};

const memoryOf = () => new UploadMemory({ processBytesMax: 10_000, accountBytesMax: 10_000 });

test('the start of a file is judged by its first bytes, however they are cut', () => {
  for (const [bytes, needsWhole] of [
    [MP4_START, true],
    [WAV_START, false],
  ] as const) {
    const start = new FileStart();
    const decided = chunksOf(bytes).map((chunk) => start.add(chunk)?.length);
    assert.deepEqual(decided, [undefined, undefined, bytes.length + 600, undefined]);
    assert.equal(start.mayNeedWholeFile, needsWhole);
  }
});

test('a probe counts everything that its decoder may hold', () => {
  for (const [bytes, share] of [
    [MP4_START, 1],
    [WAV_START, 0],
  ] as const) {
    const memory = memoryOf();
    const probe = new FileProbe({ accountId: 'a', memory, openMeasure: () => countingDecoder().decoder });
    for (const chunk of chunksOf(bytes)) probe.write(chunk);
    assert.equal(memory.total, share * bytesIn(chunksOf(bytes)));
    probe.release();
    assert.equal(memory.total, 0);
  }
});

const uploadOf = () => {
  const opened: ReturnType<typeof countingDecoder>[] = [];
  const openMeasure = () => {
    opened.push(countingDecoder());
    return opened.at(-1)!.decoder;
  };
  const call = { principal: { accountId: 'a' } } as unknown as Call;
  const parts = { memory: memoryOf(), openMeasure } as unknown as UploadParts;
  return { upload: new Upload(call, parts, () => {}), opened };
};

test('an upload counts its audio as it arrives, unless its index may come last', () => {
  for (const [bytes, counts] of [
    [MP4_START, []],
    [WAV_START, [bytesIn(chunksOf(WAV_START))]],
  ] as const) {
    const { upload, opened } = uploadOf();
    for (const chunk of chunksOf(bytes)) void upload.write(chunk);
    assert.deepEqual(
      opened.map(({ writtenBytes }) => writtenBytes()),
      counts,
    );
    upload.release();
  }
});

test('bytes that arrive after the release open no decoder', () => {
  const { upload, opened } = uploadOf();
  void upload.write(WAV_START);
  upload.release();
  void upload.write(new Uint8Array(600));
  assert.equal(opened.length, 0);
});
