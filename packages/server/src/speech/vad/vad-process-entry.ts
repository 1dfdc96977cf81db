// Entry point of the voice activity process: runs the Silero model for all streams, without keeping state.
import { serveCalls } from '../process/serve-calls.ts';
import { loadSileroModel, type VadRequest } from './silero-model.ts';

serveCalls(async (options) => {
  const detect = await loadSileroModel((options as { readonly modelPath: string }).modelPath);
  return (request) => detect(request as VadRequest);
});
