// Tests silence after the audio: it is encoded once, and seen by the encoder and the decoder.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { compiledFolder } from '../acoustic/compiled-files.ts';
import { compileModel } from '../acoustic/graph-compiler.ts';
import type { Tensors } from '../acoustic/token-cache.ts';
import { loadWhisperGraphs, type WhisperGraphs } from './graphs.ts';
import { writeMadeExport } from './testing/made-export.ts';
import { loadTokenizer } from './tokenizer.ts';

const MEL_BINS = 80 as const;
const SILENCE = -0.5;

const spectrogram = (frames: number, valueAt: (bin: number, frame: number) => number): Float32Array =>
  Float32Array.from({ length: MEL_BINS * frames }, (_, i) => valueAt(Math.floor(i / frames), i % frames));

/** Half a second of sound, then silence. */
const sound = (frames: number): Float32Array =>
  spectrogram(frames, (bin, frame) => (frame < 50 ? Math.sin(bin + frame / 3) : SILENCE));

const positionsOf = (audio: Tensors): number => Object.values(audio)[0]!.dims[2]!;

/** The values of all caches at these positions. */
const valuesOf = (audio: Tensors, from: number, to: number): number[] =>
  Object.values(audio).flatMap(({ data, dims: [, heads = 0, positions = 0, size = 0] }) =>
    Array.from({ length: heads }, (_, head) => [
      ...(data as Float32Array).subarray((head * positions + from) * size, (head * positions + to) * size),
    ]).flat(),
  );

const farthest = (a: readonly number[], b: readonly number[]): number =>
  Math.max(...a.map((value, i) => Math.abs(value - b[i]!)));

describe('the encoder of Whisper', () => {
  let folder: string;
  let graphs: WhisperGraphs;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'faircopy-encoder-'));
    const shape = { encoderLayers: 2, decoderLayers: 2, width: 32, heads: 2, melBins: MEL_BINS } as const;
    await writeMadeExport(folder, shape, 'fp32', false);
    await compileModel('whisper', folder, compiledFolder(folder));
    graphs = await loadWhisperGraphs(compiledFolder(folder), await loadTokenizer(folder), 1);
  });
  after(async () => {
    await graphs.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('appends silence that was encoded alone', async () => {
    const silence = await graphs.encode(
      spectrogram(1000, () => SILENCE),
      1000,
      1000,
    );
    const short = await graphs.encode(sound(100), 100, 1000);
    assert.equal(positionsOf(short.audio), 500);
    assert.deepEqual(valuesOf(short.audio, 50, 500), valuesOf(silence.audio, 50, 500));
    const shorter = await graphs.encode(sound(100), 100, 400);
    assert.equal(positionsOf(shorter.audio), 200);
  });

  it('lets the audio attend to that silence', async () => {
    const whole = valuesOf((await graphs.encode(sound(1000), 1000, 1000)).audio, 0, 49);
    const joined = valuesOf((await graphs.encode(sound(100), 100, 1000)).audio, 0, 49);
    const alone = valuesOf((await graphs.encode(sound(100), 100, 100)).audio, 0, 49);
    assert.ok(
      farthest(joined, whole) < 0.5 * farthest(alone, whole),
      `joined ${farthest(joined, whole)}, alone ${farthest(alone, whole)}`,
    );
  });
});
