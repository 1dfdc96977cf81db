// Entry point of the voice process: runs the Silero model for all streams, and the end-of-turn model on request.
import { serveCalls } from '../process/serve-calls.ts';
import type { TurnPause } from '../turns/turn-detector.ts';
import { loadTurnModel } from '../turns/turn-model.ts';
import { loadSileroModel, type VadRequest } from './silero-model.ts';

serveCalls(async (options) => {
  const detect = await loadSileroModel((options as { readonly modelPath: string }).modelPath);
  let turns: ReturnType<typeof loadTurnModel> | undefined;
  return async (payload) => {
    const request = payload as VadRequest | TurnPause;
    if (!('kind' in request)) return detect(request);
    turns ??= loadTurnModel();
    return (await turns)(request);
  };
});
