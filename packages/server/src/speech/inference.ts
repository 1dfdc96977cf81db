// Inference in one recogniser process: the models of its tiers, one window at a time.
import { type Execution, type OnNotice, useExecution } from './acoustic/open-session.ts';
import { loadModels } from './cascade/load-models.ts';
import { recogniseWith } from './cascade/recognise.ts';
import type { TierTable } from './cascade/tiers.ts';
import { conditionSamples } from './features/condition.ts';
import type { Recognition, SpeechWindow, TierId } from './recogniser.ts';

export interface Inference {
  /** `shouldStop` is polled between model calls; when true, the recognition rejects with `RecognitionStopped`. */
  recognise(window: SpeechWindow, shouldStop: () => boolean): Promise<Recognition>;
  /** Runs every model once, so that the first window is not slower than others. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

export interface InferenceOptions {
  /** Folder of a model's published files; the compiled graphs are in its `compiledFolder`. */
  readonly modelFolder: (weightsId: string) => string;
  readonly tiers: readonly TierId[];
  /** Threads per encoder run. */
  readonly threads: number;
  /** Where the models run. Default: on the CPU. */
  readonly execution?: Execution | undefined;
  /** Receives notices for the log. */
  readonly onNotice?: OnNotice;
  /** Default: the tiers as shipped. */
  readonly table?: TierTable | undefined;
  /** Tiers to load at the start (default: all); the others are loaded on demand. */
  readonly loaded?: readonly TierId[];
}

/** The result for digital silence, in which models would try every language. */
const NOTHING: Recognition = { text: '', words: [], languages: [], languageChange: null, averageLogProbability: 0 };

/** The caller cancelled the window. */
export class RecognitionStopped extends Error {
  constructor() {
    super('The recognition was stopped.');
    this.name = 'RecognitionStopped';
  }
}

export const loadInference = async (options: InferenceOptions): Promise<Inference> => {
  if (options.execution !== undefined) useExecution(options.execution, options.onNotice ?? (() => undefined));
  const models = await loadModels(options);
  return {
    async recognise(window, shouldStop) {
      const checkpoint = () => {
        if (shouldStop()) throw new RecognitionStopped();
      };
      checkpoint();
      const tierModels = await models.of(window.tier, window.isCaptioned ?? false);
      const samples = conditionSamples(window.samples);
      if (!samples.some((value) => value !== 0)) return NOTHING;
      try {
        return await recogniseWith(tierModels, { ...window, samples }, checkpoint);
      } finally {
        models.freeSpeech();
      }
    },
    async warmUp() {
      await models.warmUp();
      models.freeSpeech();
    },
    close: () => models.close(),
  };
};
