// Entry of the voice process: judges frames for all streams. It keeps no state, so its death loses nothing.
import { serveCalls } from '../process/serve-calls.ts';
import { loadSileroModel, type VadRequest } from './silero-model.ts';

serveCalls(async (options) => {
  const judge = await loadSileroModel((options as { readonly modelPath: string }).modelPath);
  return (job) => judge(job as VadRequest);
});
