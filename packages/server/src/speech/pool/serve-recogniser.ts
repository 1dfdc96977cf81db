// The child side of a recogniser process: serves an inference core to the parent.
import type { Inference, InferenceOptions } from '../inference.ts';
import { serveCalls } from '../process/serve-calls.ts';
import type { SpeechWindow } from '../recogniser.ts';

/** Options that the parent sends, as plain data. `folders` are by weights id. */
export interface RecogniserInit {
  readonly folders: Readonly<Record<string, string>>;
  readonly tiers: InferenceOptions['tiers'];
  readonly threads: number;
  readonly table?: InferenceOptions['table'];
  readonly execution?: InferenceOptions['execution'];
  /** Tiers to load at the start. Default: all. */
  readonly loaded?: InferenceOptions['tiers'];
}

export const serveRecogniser = (load: (options: InferenceOptions) => Promise<Inference>): void =>
  serveCalls(async (options, onNotice) => {
    const { folders, tiers, loaded = tiers, threads, table, execution } = options as RecogniserInit;
    const modelFolder = (weightsId: string): string => {
      const folder = folders[weightsId];
      if (folder === undefined) throw new Error(`This process has no folder for the model ${weightsId}.`);
      return folder;
    };
    const inference = await load({ modelFolder, tiers, loaded, threads, table, execution, onNotice });
    await inference.warmUp();
    return (window, { shouldStop }) => inference.recognise(window as SpeechWindow, shouldStop);
  });
