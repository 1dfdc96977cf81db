// The Moonshine streaming family: English, for live audio. A window that continues another costs only its new part.
import type { AcousticModelFamily } from '../acoustic/acoustic-model.ts';
import { moonshineModel } from '../moonshine/acoustic-model.ts';
import { loadStreamingGraphs } from './graphs.ts';

export const moonshineStreaming: AcousticModelFamily = {
  load: async ({ id, folder, threads }) => moonshineModel(id, await loadStreamingGraphs(folder, threads)),
  /** Nothing to compile: the graphs are published in the runtime's own format. */
  compile: async () => undefined,
};
