// Entry of the voice process: judges frames for all streams. It keeps no state, so its death loses nothing.
import { serveCalls } from '../process/serve.ts';
import { loadJudge, type VoiceJob } from './judge.ts';

serveCalls(async (options) => {
  const judge = await loadJudge((options as { readonly modelPath: string }).modelPath);
  return (job) => judge(job as VoiceJob);
});
