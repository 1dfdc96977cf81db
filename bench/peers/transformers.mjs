// Peer: transformers.js on the Whisper weights that the service uses. Arguments: folder of models, name in it.
import { env, pipeline } from '@huggingface/transformers';
import { serveTranscriptions } from './peer-worker.mjs';

const [folder, name] = process.argv.slice(2);
env.allowRemoteModels = false;
env.localModelPath = folder;
const recognise = await pipeline('automatic-speech-recognition', name, { dtype: 'q8', device: 'cpu' });

// The language is given, so that the peer need not find out, unless it does not know that one. Windows as its
// documentation recommends for longer audio.
serveTranscriptions(async (samples, language) => {
  const isLong = samples.length > 30 * 16_000;
  const options = { task: 'transcribe', ...(isLong ? { chunk_length_s: 30, stride_length_s: 5 } : {}) };
  const { text } = await recognise(samples, { language, ...options }).catch((error) => {
    if (!/Language .* is not supported/.test(String(error))) throw error;
    return recognise(samples, options);
  });
  return text;
});
