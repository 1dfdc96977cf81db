// Reads growing audio with the server's own code. Arguments: a file with the cases, a file for the results.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const speech = new URL('../../packages/server/dist/src/speech/', import.meta.url);
const server = (path) => import(new URL(path, speech));
const { loadStreamingGraphs } = await server('moonshine-streaming/graphs.js');
const { moonshineModel } = await server('moonshine/acoustic-model.js');
const { transcribe } = await server('moonshine/transcribe.js');
const { InferenceSession } = createRequire(new URL('../../packages/server/package.json', import.meta.url))(
  'onnxruntime-node',
);

const GRAPHS = ['frontend', 'encoder', 'adapter', 'cross_kv', 'decoder_kv_with_attention'];

/** Converts the graphs to the runtime's format, in which they are published. */
const convert = async (folder) => {
  for (const name of GRAPHS) {
    const [from, to] = ['onnx', 'ort'].map((ending) => join(folder, `${name}.${ending}`));
    const options = { optimizedModelFilePath: `${to}.new`, extra: { session: { save_model_format: 'ORT' } } };
    await (await InferenceSession.create(from, options)).release();
    renameSync(`${to}.new`, to);
    rmSync(from);
  }
};

const results = [];
for (const { folder, samples, ends, start, isPublished } of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  if (isPublished) await convert(folder);
  const graphs = await loadStreamingGraphs(folder, 1);
  const audio = Float32Array.from(samples);
  let state;
  for (const end of ends) state = await graphs.encode(audio.slice(0, end));
  // As after committing the first words: the window begins later, within audio that was already read.
  const later = await graphs.encode(audio.slice(start));
  const hypothesis = await transcribe(graphs, state, audio.length, { checkpoint: () => undefined });
  const speech = await moonshineModel('made', graphs).encode(audio);
  const words = await speech.wordTimes(await speech.transcribe({ language: 'en', checkpoint: () => undefined }), 'en');
  results.push({
    keys: [...state.audio.out_k_cross.data],
    values: [...state.audio.out_v_cross.data],
    laterKeys: [...later.audio.out_k_cross.data],
    tokens: hypothesis.tokens,
    logProbabilities: hypothesis.logProbabilities,
    degenerate: hypothesis.degenerate,
    wordEnds: words.map(({ startMs, endMs }) => [startMs, endMs]),
  });
  await graphs.close();
}
writeFileSync(process.argv[3], JSON.stringify(results));
