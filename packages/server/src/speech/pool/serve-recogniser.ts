// The child's side of a recogniser process: an inference core behind the supervised process's protocol.
import type { Inference, InferenceOptions } from '../inference.ts';
import { serveCalls } from '../process/serve-calls.ts';
import type { SpeechWindow } from '../recogniser.ts';

/** What the parent tells a recogniser process; plain data, since it crosses a process border. `folders` is by weights id. */
export interface RecogniserInit {
  readonly folders: Readonly<Record<string, string>>;
  readonly tiers: InferenceOptions['tiers'];
  readonly threads: number;
  readonly maxWhisper?: string | undefined;
  /** The tiers that are loaded at once; all when left out. */
  readonly loaded?: InferenceOptions['tiers'];
}

export const serveRecogniser = (load: (options: InferenceOptions) => Promise<Inference>): void =>
  serveCalls(async (options) => {
    const { folders, tiers, loaded = tiers, threads, maxWhisper } = options as RecogniserInit;
    const modelFolder = (weightsId: string): string => {
      const folder = folders[weightsId];
      if (folder === undefined) throw new Error(`The model ${weightsId} was not asked for.`);
      return folder;
    };
    const inference = await load({ modelFolder, tiers, loaded, threads, maxWhisper });
    await inference.warmUp();
    return (window, { shouldStop }) => inference.recognise(window as SpeechWindow, shouldStop);
  });
