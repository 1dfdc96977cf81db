// Peer: whisper.cpp through its Node binding. Argument: path of the ggml weights.
import { availableParallelism } from 'node:os';
import { initWhisper } from '@fugood/whisper.node';
import { serveTranscriptions } from './peer-worker.mjs';

const context = await initWhisper({ filePath: process.argv[2], useGpu: false });

serveTranscriptions(async (samples, language) => {
  const pcm = Int16Array.from(samples, (sample) => Math.max(-1, Math.min(1, sample)) * 32_767);
  const options = { language, maxThreads: availableParallelism() };
  const { promise } = context.transcribeData(pcm.buffer, options);
  return (await promise).result;
});
