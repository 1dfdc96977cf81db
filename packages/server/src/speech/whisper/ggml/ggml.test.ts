import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { compileModel } from '../../acoustic/graph-compiler.ts';
import { floatsOf } from '../../graph/matrices.ts';
import { promptFor } from '../transcribe.ts';
import { BytePairs } from './byte-pairs.ts';
import { whisperGgml } from './family.ts';
import { GgmlFault, readGgml } from './ggml-file.ts';
import { loadGgmlTokenizer } from './ggml-tokenizer.ts';
import { ggmlDecoder, ggmlEncoder } from './ggml-weights.ts';
import { tinyGgml } from './testing/made-ggml.ts';

let folder = '';
let path = '';
const bytes = tinyGgml();

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faircopy-ggml-'));
  path = join(folder, 'ggml-tiny.bin');
  await writeFile(path, bytes);
});
after(() => rm(folder, { recursive: true, force: true }));

test('sizes, vocabulary and weights are read, in single and half precision', () => {
  const { shape, tokens, tensors } = readGgml(bytes);
  assert.equal(shape.melBins, 80);
  assert.equal(shape.textLayers, 1);
  assert.equal(tokens.length, 50_257);
  assert.deepEqual(tensors.get('encoder.conv1.weight')?.dims, [16, 80, 3]);
  const half = floatsOf(tensors.get('decoder.blocks.0.attn.query.weight')!);
  assert.ok(half.every((value) => Number.isFinite(value) && Math.abs(value) <= 0.25));
  assert.ok(new Set(half).size > 100);
});

test('truncated, damaged and unrelated files are refused with a reason', () => {
  assert.throws(() => readGgml(bytes.subarray(0, 1000)), GgmlFault);
  assert.throws(() => readGgml(bytes.subarray(0, bytes.length - 1)), /ends too early/);
  assert.throws(() => readGgml(Buffer.alloc(100)), /ggml magic number/);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (tail) => {
      assert.throws(() => readGgml(Buffer.concat([bytes.subarray(0, 48), tail])), GgmlFault);
    }),
  );
});

test('a multilingual model is refused, because its tokens differ', async () => {
  const other = join(folder, 'other.bin');
  await writeFile(other, tinyGgml({ vocabulary: 51_865 }));
  await assert.rejects(loadGgmlTokenizer(other), /English-only/);
  await rm(other);
});

test('the special tokens follow the vocabulary, and the prompt has no language', async () => {
  const tokenizer = await loadGgmlTokenizer(path);
  assert.equal(tokenizer.endOfText, 50_256);
  assert.equal(tokenizer.firstTimestamp, 50_363);
  assert.equal(tokenizer.size, 51_864);
  const prompt = promptFor({ id: 'tiny', tokenizer } as never, 'en', [7]);
  assert.deepEqual(prompt, [50_360, 7, 50_257, 50_362]);
  assert.throws(() => promptFor({ id: 'tiny', tokenizer } as never, 'de', []), /does not support/);
});

test('an English model with the vocabulary of large v3 has a language token and 128 bins', async () => {
  const other = join(folder, 'v3');
  await mkdir(other);
  await writeFile(join(other, 'model.bin'), tinyGgml({ vocabulary: 51_866, melBins: 128, textLayers: 2 }));
  const tokenizer = await loadGgmlTokenizer(join(other, 'model.bin'));
  assert.equal(tokenizer.endOfText, 50_257);
  assert.equal(tokenizer.firstTimestamp, 50_365);
  assert.deepEqual(promptFor({ id: 'v3', tokenizer } as never, 'en', []), [50_258, 50_259, 50_360, 50_364]);
  const compiledFolder = join(other, 'compiled');
  await compileModel('whisper-ggml', other, compiledFolder);
  const model = await whisperGgml.load({ id: 'v3', folder: other, compiledFolder, threads: 1 });
  try {
    assert.deepEqual([...model.languages], ['en']);
    const speech = await model.encode(new Float32Array(16_000).map((_, i) => Math.sin(i / 9) / 4));
    const hypothesis = await speech.transcribe({ language: 'en', checkpoint: () => undefined });
    assert.ok(hypothesis.tokens.every((token) => token < 50_257));
  } finally {
    await model.close();
  }
});

test('text is encoded and decoded losslessly; earlier tokens are merged first', () => {
  const pairs = new BytePairs(readGgml(bytes).tokens);
  assert.deepEqual(pairs.encode('hello a'), [260, 256]);
  assert.deepEqual(pairs.encode('hellhe'), [259, 257]);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.equal(pairs.decode(pairs.encode(text)), text);
    }),
  );
});

test('weights get the names and layout of an export', () => {
  const model = readGgml(bytes);
  const [encoder, decoder] = [ggmlEncoder(model), ggmlDecoder(model)];
  assert.equal(encoder.layers('/layers', 'fc1'), 1);
  assert.equal(decoder.layers('/model/decoder/layers', 'encoder_attn/k_proj'), 1);
  assert.equal(encoder.bias('/layers.0/self_attn/k_proj'), null);
  const trained = floatsOf(model.tensors.get('encoder.blocks.0.mlp.0.weight')!);
  const { weights, scale, zeroPoint } = encoder.matrix('/layers.0/fc1');
  assert.deepEqual(weights.dims, [16, 64]);
  const scales = floatsOf(scale);
  for (const [input, output] of [
    [0, 0],
    [3, 17],
    [15, 63],
  ] as const) {
    const made = (weights.data[input * 64 + output]! - zeroPoint.data[output]!) * scales[output]!;
    // Rounding loses at most half a step.
    assert.ok(Math.abs(made - trained[output * 16 + input]!) <= 0.5001 * scales[output]!);
  }
});

test('a model is compiled, loaded, transcribes and gives word times', async () => {
  const compiledFolder = join(folder, 'compiled');
  await compileModel('whisper-ggml', folder, compiledFolder);
  const model = await whisperGgml.load({ id: 'tiny', folder, compiledFolder, threads: 1 });
  try {
    assert.deepEqual([...model.languages], ['en']);
    assert.equal(model.detectsLanguage, false);
    const speech = await model.encode(new Float32Array(16_000).map((_, i) => Math.sin(i / 9) / 4));
    const hypothesis = await speech.transcribe({ language: 'en', checkpoint: () => undefined });
    assert.ok(Number.isFinite(hypothesis.averageLogProbability));
    assert.ok(hypothesis.tokens.every((token) => token < 50_256));
    const words = await speech.wordTimes(hypothesis, 'en');
    assert.ok(words.every(({ startMs, endMs }) => startMs >= 0 && endMs <= 1000 && startMs <= endMs));
  } finally {
    await model.close();
  }
});
