// Transcribes clips with the server's own engine: voice activity, language decision, recogniser process, refinement.
// Arguments: a folder with an export, a file with a list of {path, terms}, a file for the results.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const server = (path) => import(new URL(`../../../packages/server/dist/src/${path}`, import.meta.url));
const pipeline = await server('exports/pipeline.js');
const { acousticFamily, isAcousticFamily } = await server('speech/acoustic/families.js');
const chosen = await server('speech/cascade/chosen-models.js');
const { readCatalogue } = await server('speech/store/catalogue.js');
const { compileInChild } = await server('speech/store/compile/compile.js');
const { ModelStore } = await server('speech/store/store.js');

const [exported, list, results] = process.argv.slice(2);
const TIER = 'svc-1.0-lite';
// The miniature replaces the files of a published model of its family.
const ID = 'parakeet-tdt-0.6b-v2';
await acousticFamily('fastconformer');

const usual = pipeline.parseConfig(process.env).modelsDir;
const modelsDir = mkdtempSync(join(tmpdir(), 'faircopy-miniature-'));
mkdirSync(join(modelsDir, ID));
const files = readdirSync(exported, { withFileTypes: true }).flatMap((entry) => {
  if (!entry.isFile()) return [];
  cpSync(join(exported, entry.name), join(modelsDir, ID, entry.name));
  const bytes = readFileSync(join(exported, entry.name));
  return [{ name: entry.name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }];
});
for (const id of pipeline.neededModels([TIER])) symlinkSync(join(usual, id), join(modelsDir, id));
const catalogue = readCatalogue().map((model) => (model.id === ID ? { ...model, files } : model));
await chosen.writeChosenModels(modelsDir, chosen.withChoice({}, chosen.parseChoice(`${TIER}=${ID}`)));

const config = pipeline.parseConfig({
  ...process.env,
  FAIRCOPY_MODELS: TIER,
  FAIRCOPY_MODELS_DIR: modelsDir,
  FAIRCOPY_RECOGNISERS: '1',
  FAIRCOPY_RECOGNISER_THREADS: '1',
});
const needsCompiling = ({ family }) => isAcousticFamily(family);
const store = new ModelStore({ folder: modelsDir, catalogue, sources: [], compile: compileInChild, needsCompiling });
const engine = new pipeline.LocalSpeechEngine({ config, store, onEvent: (event) => console.error(event) });
const HOUR_MS = 3_600_000;
const service = new pipeline.TranscriptionService({
  engine,
  refinementStage: new pipeline.InlineRefinementStage(pipeline.createRefiner()),
  recognitionTimeoutMs: HOUR_MS,
  refinementTimeoutMs: HOUR_MS,
  graceMs: 0,
});

/** Reads 16-bit samples after a plain WAV header of 44 bytes. */
const samplesOf = (path) => {
  const bytes = readFileSync(path);
  return Float32Array.from({ length: (bytes.length - 44) >> 1 }, (_, i) => bytes.readInt16LE(44 + 2 * i) / 32_768);
};

const transcribe = async ({ path, terms = [] }) => {
  const request = { requestId: path, accountId: 'miniature', mode: 'file', model: TIER, languageHint: undefined };
  const session = pipeline.openCollected(service, {
    ...request,
    waitingSecondsMax: HOUR_MS,
    vocabulary: terms.map((text) => ({ text })),
    wantWordTimes: true,
  });
  await session.write(samplesOf(path));
  const { text, rawText, words } = await session.finish();
  return { text, rawText, words };
};

try {
  await engine.ready();
  const found = [];
  for (const clip of JSON.parse(readFileSync(list, 'utf8'))) found.push(await transcribe(clip));
  writeFileSync(results, JSON.stringify(found));
} finally {
  await service.close();
  await engine.close();
  rmSync(modelsDir, { recursive: true, force: true });
}
