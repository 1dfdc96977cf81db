// The inference core of one recogniser process: the models of its tiers, one window at a time.
import { loadModels } from './cascade/load-models.ts';
import { recogniseWith } from './cascade/recognise.ts';
import { conditionSamples } from './features/condition.ts';
import type { Recognition, SpeechWindow, TierId } from './recogniser.ts';

export interface Inference {
  /** `shouldStop` is polled between model calls; when it is true, the window rejects with `RecognitionStopped`. */
  recognise(window: SpeechWindow, shouldStop: () => boolean): Promise<Recognition>;
  /** Runs every model once, so that the first window pays nothing extra. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

export interface InferenceOptions {
  /** Folder of a model's original files, with the compiled graphs in `compiledFolder` of it. */
  readonly modelFolder: (weightsId: string) => string;
  readonly tiers: readonly TierId[];
  /** Threads of one model call. */
  readonly threads: number;
  /** The multilingual model of the tier max. */
  readonly maxWhisper?: string | undefined;
  /** The tiers that are loaded at once, the others when they are asked for; all when left out. */
  readonly loaded?: readonly TierId[];
}

/** The window was given up because its caller no longer wants it. */
export class RecognitionStopped extends Error {
  constructor() {
    super('The recognition was stopped.');
    this.name = 'RecognitionStopped';
  }
}

export const loadInference = async (options: InferenceOptions): Promise<Inference> => {
  const models = await loadModels(options);
  return {
    async recognise(window, shouldStop) {
      const checkpoint = () => {
        if (shouldStop()) throw new RecognitionStopped();
      };
      checkpoint();
      const samples = conditionSamples(window.samples);
      return recogniseWith(
        await models.of(window.tier, window.isCaptioned ?? false),
        { ...window, samples },
        checkpoint,
      );
    },
    warmUp: () => models.warmUp(),
    close: () => models.close(),
  };
};
