// npm run bench:larger -- [MODEL] [int8|fp16|fp32|ggml]: a made-up Whisper of a published size takes the whole road, from the
// files in the store to words with times from a recogniser process. Its words mean nothing; seconds and memory do.
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalSpeechEngine, neededModels, openModelStore, parseConfig } from '@faircopy/server/pipeline';
import {
  acousticFamily,
  compiledFolder,
  compileInChild,
  ModelStore,
  type Precision,
  PUBLISHED_SHAPES,
  processBytesFor,
  readCatalogue,
  sha256OfFile,
  windowOf,
  writeGgml,
  writeMadeExport,
} from '#testing';
import { markdownTable } from './markdown-table.ts';
import { megabytes } from './statistics.ts';

const TIER = 'svc-1.0-max';
const SECONDS = 10;
/** External data beyond this size is what single files cannot hold. */
const BESIDE: Readonly<Record<Precision, boolean>> = { int8: false, fp16: true, fp32: true };
/** Of Whisper large v3 and its like. */
const VOCABULARY = 51_866;

const [name = 'whisper-large-v3-turbo', precision = 'int8'] = process.argv.slice(2) as [
  (keyof typeof PUBLISHED_SHAPES)?,
  (Precision | 'ggml')?,
];
const shape = PUBLISHED_SHAPES[name];
if (!shape || (precision === 'ggml' ? name !== 'distil-large-v3' : !(precision in BESIDE)))
  throw new Error(
    `Give one of ${Object.keys(PUBLISHED_SHAPES).join(', ')} and one of ${Object.keys(BESIDE).join(', ')}; ggml for distil-large-v3.`,
  );

/** The model that is published in ggml form, 16 bits, is tried in that form. */
const isGgml = name === 'distil-large-v3' && precision === 'ggml';
/** As an export, it stands in for the nearest that is published as one. */
const id = name === 'distil-large-v3' && !isGgml ? 'whisper-large-v3-turbo' : name;
const config = parseConfig({
  ...process.env,
  FAIRCOPY_MODELS: TIER,
  FAIRCOPY_MAX_WHISPER: id,
  FAIRCOPY_RECOGNISERS: '1',
});
/** Files of the shape, into this folder. */
const writeModel = async (folder: string): Promise<void> => {
  if (precision !== 'ggml') return writeMadeExport(folder, shape, precision, BESIDE[precision]);
  const { width: textWidth, heads, melBins, encoderLayers: audioLayers, decoderLayers: textLayers } = shape;
  const layers = { audioHeads: heads, audioLayers, textHeads: heads, textLayers };
  const sizes = { vocabulary: VOCABULARY, audioPositions: 1500, textPositions: 448, textWidth, melBins };
  mkdirSync(folder);
  const file = openSync(join(folder, 'ggml-made.bin'), 'w');
  writeGgml({ ...sizes, ...layers }, (bytes) => writeSync(file, bytes));
  closeSync(file);
};
/** How many words with times within the audio the model gives by itself. */
const wordsOf = async (folder: string, language: string, samples: Float32Array): Promise<number> => {
  const family = await acousticFamily(isGgml ? 'whisper-ggml' : 'whisper');
  const model = await family.load({ id, folder, compiledFolder: compiledFolder(folder), threads: 1 });
  try {
    const speech = await model.encode(samples);
    const transcript = await speech.transcribe({ language, wantWordTimes: true, checkpoint: () => undefined });
    const words = await speech.wordTimes(transcript, language);
    return words.filter(({ startMs, endMs }) => startMs >= 0 && endMs >= startMs && endMs <= SECONDS * 1000).length;
  } finally {
    await model.close();
  }
};
const root = await mkdtemp(join(tmpdir(), 'faircopy-larger-'));
const seconds = async <T>(work: () => Promise<T>): Promise<readonly [T, number]> => {
  const started = performance.now();
  const result = await work();
  return [result, (performance.now() - started) / 1000];
};
try {
  const shared = openModelStore(config);
  for (const other of neededModels(config.models, id))
    if (other !== id) await symlink(shared.folderOf(other), join(root, other));
  const folder = join(root, id);
  const [, writing] = await seconds(() => writeModel(folder));
  const files: { readonly name: string; readonly bytes: number; readonly sha256: string }[] = [];
  for (const file of await readdir(folder)) {
    const path = join(folder, file);
    files.push({ name: file, bytes: (await stat(path)).size, sha256: await sha256OfFile(path) });
  }
  const catalogue = readCatalogue().map((model) => (model.id === id ? { ...model, files } : model));
  const needsCompiling = (model: { family: string }) => model.family !== 'silero';
  const store = new ModelStore({ folder: root, catalogue, sources: [], compile: compileInChild, needsCompiling });
  const never = new AbortController().signal;
  const [, preparing] = await seconds(() => store.ensure(neededModels(config.models, id), 'quick', never));
  const engine = new LocalSpeechEngine({ config, store, onEvent: (text) => console.error(text) });
  try {
    const [, loading] = await seconds(() => engine.ready());
    const samples = new Float32Array(SECONDS * 16_000).map((_, i) => Math.sin(i / 9) * Math.sin(i / 4000) * 0.3);
    // In English an English-only model is asked.
    const window = windowOf({ tier: TIER, samples, language: isGgml ? 'en' : 'de', wantWordTimes: true });
    const [, recognising] = await seconds(() => engine.recogniser.recognise(window, never));
    const resident = engine.processes[0]?.rssBytes ?? 0;
    // What made-up weights say is nothing that a tier would show, so the model itself is asked for its words.
    const words = await wordsOf(folder, window.language ?? 'en', samples);
    const row = {
      model: `${name}, ${precision}`,
      'files MB': megabytes(files.reduce((sum, file) => sum + file.bytes, 0)),
      'largest MB': megabytes(Math.max(...files.map(({ bytes }) => bytes))),
      'written s': writing.toFixed(0),
      'prepared s': preparing.toFixed(0),
      'loaded s': loading.toFixed(0),
      [`${SECONDS} s window`]: `${recognising.toFixed(1)} s`,
      'words with times': words,
      'resident MB': megabytes(resident),
      'room planned MB': megabytes(processBytesFor(config, catalogue)),
    };
    console.log(markdownTable([row]));
  } finally {
    await engine.close();
  }
} finally {
  await rm(root, { recursive: true, force: true });
}
