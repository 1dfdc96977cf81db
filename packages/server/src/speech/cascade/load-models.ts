// Loads the models of the tiers, each once however many tiers use it.
import type { ModelId } from '@faircopy/contract';
import { compiledFolder } from '../acoustic/graph-compiler.ts';
import { makeLogMel } from '../features/log-mel.ts';
import { loadMoonshineModel, type MoonshineModel } from '../moonshine/model.ts';
import { transcribeEnglish } from '../moonshine/transcribe.ts';
import { detectLanguage } from '../whisper/detect-language.ts';
import { loadWhisperModel } from '../whisper/model.ts';
import { loadTokenizer } from '../whisper/tokenizer.ts';
import { encodeAudio, type Whisper } from '../whisper/transcribe.ts';
import type { TierModels } from './recognise.ts';
import { modelsFor, TIERS } from './tiers.ts';

export interface LoadedModels {
  of(tier: ModelId): TierModels;
  /** Runs every graph once on a second of silence. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

export const loadModels = async (options: {
  readonly modelFolder: (modelId: string) => string;
  readonly tiers: readonly ModelId[];
  readonly threads: number;
}): Promise<LoadedModels> => {
  const whispers = new Map<string, Whisper>();
  const moonshines = new Map<string, MoonshineModel>();
  for (const id of modelsFor(options.tiers)) {
    const folder = options.modelFolder(id);
    const prepared = compiledFolder(folder);
    if (id.startsWith('moonshine-')) moonshines.set(id, await loadMoonshineModel(prepared, options.threads));
    else {
      const tokenizer = await loadTokenizer(folder);
      const model = await loadWhisperModel(prepared, tokenizer, options.threads);
      whispers.set(id, { id, model, tokenizer, logMel: makeLogMel(tokenizer.melBins) });
    }
  }
  return {
    of: (tier) => {
      const { english, multilingual, listener: listenerId } = TIERS[tier];
      const model = moonshines.get(english);
      const whisper = whispers.get(multilingual);
      const listener = whispers.get(listenerId);
      if (!model || !whisper || !listener) throw new Error(`The tier "${tier}" was not loaded in this process.`);
      return { tier: TIERS[tier], english: { id: english, model }, whisper, listener };
    },
    warmUp: async () => {
      const silence = new Float32Array(16_000);
      for (const whisper of whispers.values()) {
        await detectLanguage(whisper.model, whisper.tokenizer, await encodeAudio(whisper, silence));
      }
      for (const model of moonshines.values()) await transcribeEnglish(model, silence, () => undefined);
    },
    close: async () => {
      for (const { model } of whispers.values()) await model.close();
      for (const model of moonshines.values()) await model.close();
    },
  };
};
