// Runs exports in the server's own code. Arguments: a file with the cases, a file for the results.
import { readFileSync, writeFileSync } from 'node:fs';

const server = (path) => import(new URL(`../../packages/server/dist/src/speech/${path}`, import.meta.url));
const { makeKaldiFbank } = await server('features/kaldi-fbank.js');
const { loadFbankModel } = await server('speakers/embeddings/fbank-model.js');

const results = [];
for (const { folder, samples, fbank, regions } of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  const audio = Float32Array.from(samples);
  const model = await loadFbankModel(folder, fbank);
  const embeddings = await model.run(
    audio,
    regions.map((spans) => Int32Array.from(spans)),
  );
  results.push({
    features: [...makeKaldiFbank(fbank)(audio).values],
    embeddings: embeddings.map((embedding) => embedding && [...embedding]),
  });
  await model.close();
}
writeFileSync(process.argv[3], JSON.stringify(results));
