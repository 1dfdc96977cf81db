// Entry of the process for voice activity: runs the Silero model for all streams. It keeps no state, so its death loses nothing.
import { serveCalls } from '../process/serve-calls.ts';
import { loadSileroModel, type VadRequest } from './silero-model.ts';

serveCalls(async (options) => {
  const detect = await loadSileroModel((options as { readonly modelPath: string }).modelPath);
  return (request) => detect(request as VadRequest);
});
