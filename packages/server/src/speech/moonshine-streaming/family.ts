// The Moonshine streaming family: English, for live audio; a window that continues another costs only what is new in it.
import type { AcousticModelFamily } from '../acoustic/acoustic-model.ts';
import { moonshineModel } from '../moonshine/acoustic-model.ts';
import { loadStreamingGraphs } from './graphs.ts';

export const moonshineStreaming: AcousticModelFamily = {
  load: async ({ id, folder, threads }) => moonshineModel(id, await loadStreamingGraphs(folder, threads)),
  /** Its graphs are in the runtime's own format already. */
  compile: async () => undefined,
};
