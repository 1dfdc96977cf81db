// Compiles and runs exports in the server's own code. Arguments: a file with the cases, a file for the results.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const server = (path) => import(new URL(`../../packages/server/dist/src/speech/${path}`, import.meta.url));
const { compileModel } = await server('acoustic/graph-compiler.js');
const { makeNemoFeatures } = await server('fastconformer/features.js');
const { loadFastConformerGraphs } = await server('fastconformer/graphs.js');
const { transcribe } = await server('fastconformer/transcribe.js');
const { readVocabulary } = await server('fastconformer/vocabulary.js');
const { encodeInWindows } = await server('fastconformer/windows.js');
const { fastConformerWordTimes } = await server('fastconformer/word-times.js');

const results = [];
for (const { folder, samples, keep, context } of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  const compiled = join(folder, 'compiled');
  await compileModel('fastconformer', folder, compiled);
  const graphs = await loadFastConformerGraphs(folder, compiled, 1);
  const audio = Float32Array.from(samples);
  const features = makeNemoFeatures(graphs.melBins)(audio);
  const window = { keepFrames: keep, contextFrames: context };
  const encoded = await encodeInWindows(features, { melBins: graphs.melBins, subsampling: 8 }, graphs.encode, window);
  const vocabulary = await readVocabulary(folder);
  const model = { id: 'made', graphs, vocabulary, tokensPerFrameMax: 10 };
  const hypothesis = await transcribe(model, encoded, audio.length, { checkpoint: () => undefined });
  results.push({
    features: [...features.values],
    rows: [...encoded.rows],
    width: encoded.width,
    tokens: hypothesis.tokens,
    logProbabilities: hypothesis.logProbabilities,
    places: hypothesis.places.map(({ frame, duration }) => [frame, duration]),
    text: hypothesis.text,
    degenerate: hypothesis.degenerate,
    words: fastConformerWordTimes(vocabulary, hypothesis, { frameMs: 80, audioMs: audio.length / 16 }),
  });
  await graphs.close();
}
writeFileSync(process.argv[3], JSON.stringify(results));
