// Peer: transformers.js on the Whisper weights that the service uses. Arguments: folder of models, name in it.
import { env, pipeline } from '@huggingface/transformers';
import { answerWith } from './answering.mjs';

const [folder, name] = process.argv.slice(2);
env.allowRemoteModels = false;
env.localModelPath = folder;
const recognise = await pipeline('automatic-speech-recognition', name, { dtype: 'q8', device: 'cpu' });

// The language is given: the peer need not find out. Windows as its documentation recommends for longer audio.
answerWith(async (samples, language) => {
  const isLong = samples.length > 30 * 16_000;
  const windows = isLong ? { chunk_length_s: 30, stride_length_s: 5 } : {};
  return (await recognise(samples, { language, task: 'transcribe', ...windows })).text;
});
