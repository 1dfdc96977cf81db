// Peer: Moonshine as published, run on the whole utterance at once. Argument: folder of the model.
import { join } from 'node:path';
import llama from 'llama-tokenizer-js';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { serveTranscriptions } from './peer-worker.mjs';

const BEGIN = 1n;
const END = 2n;
const HEADS = 8;
const TOKENS_PER_SECOND = 6.5;

const [folder] = process.argv.slice(2);
const encoder = await InferenceSession.create(join(folder, 'encoder_model.onnx'));
const decoder = await InferenceSession.create(join(folder, 'decoder_model_merged.onnx'));
const pastNames = decoder.inputNames.filter((name) => name.startsWith('past_key_values.'));
/** The width of a head, by the number of layers: tiny has 6, base has 8. */
const width = pastNames.length / 4 === 6 ? 36 : 52;

const likeliest = ({ data, dims }) => {
  const row = data.subarray(data.length - dims.at(-1));
  let best = 0;
  for (let index = 1; index < row.length; index++) if (row[index] > row[best]) best = index;
  return BigInt(best);
};

serveTranscriptions(async (samples) => {
  const { last_hidden_state: encoded } = await encoder.run({
    input_values: new Tensor('float32', samples, [1, samples.length]),
  });
  const empty = () => new Tensor('float32', new Float32Array(0), [1, HEADS, 0, width]);
  let past = Object.fromEntries(pastNames.map((name) => [name, empty()]));
  const tokens = [BEGIN];
  const most = Math.ceil((samples.length / 16_000) * TOKENS_PER_SECOND);
  for (let step = 0; step < most; step++) {
    const outputs = await decoder.run({
      input_ids: new Tensor('int64', BigInt64Array.of(tokens.at(-1)), [1, 1]),
      encoder_hidden_states: encoded,
      use_cache_branch: new Tensor('bool', [step > 0], [1]),
      ...past,
    });
    const next = likeliest(outputs.logits);
    if (next === END) break;
    tokens.push(next);
    // Keeps the encoder's cache of the first step, because later steps return it empty.
    past = Object.fromEntries(
      pastNames.map((name) => [
        name,
        step > 0 && name.includes('.encoder.') ? past[name] : outputs[name.replace('past_key_values', 'present')],
      ]),
    );
  }
  return llama.decode(tokens.slice(1).map(Number), false, true);
});
