// Peer: transformers.js with the Whisper weights that the service uses. Arguments: folder of models, name of the model.
import { env, pipeline } from '@huggingface/transformers';
import { serveTranscriptions } from './peer-worker.mjs';

const [folder, name] = process.argv.slice(2);
env.allowRemoteModels = false;
env.localModelPath = folder;
const recognise = await pipeline('automatic-speech-recognition', name, { dtype: 'q8', device: 'cpu' });

// The language is given, so that the peer does not need to detect it, unless the peer does not support it. Longer audio
// is split into windows as the transformers.js documentation recommends.
serveTranscriptions(async (samples, language) => {
  const isLong = samples.length > 30 * 16_000;
  const options = { task: 'transcribe', ...(isLong ? { chunk_length_s: 30, stride_length_s: 5 } : {}) };
  const { text } = await recognise(samples, { language, ...options }).catch((error) => {
    if (!/Language .* is not supported/.test(String(error))) throw error;
    return recognise(samples, options);
  });
  return text;
});
