// Loads the acoustic models of the tiers, each once.
import { type AcousticModel, isMultilingual, type MultilingualModel } from '../acoustic/acoustic-model.ts';
import { compiledFolder } from '../acoustic/compiled-files.ts';
import { acousticFamily } from '../acoustic/families.ts';
import type { TierId } from '../recogniser.ts';
import { readCatalogue } from '../store/catalogue.ts';
import { modelsOf, TIERS, type Tier, type TierTable } from './tiers.ts';

export interface TierModels {
  readonly tier: Tier;
  readonly english: AcousticModel;
  readonly secondEnglish: AcousticModel | null;
  readonly fallbackEnglish: AcousticModel | null;
  readonly multilingual: MultilingualModel;
  readonly detector: MultilingualModel;
  readonly secondDetector: MultilingualModel;
  /** Models that read a language without the cascade, by language. */
  readonly readers?: ReadonlyMap<string, AcousticModel>;
}

interface LoadedModels {
  /** Loads missing models first. */
  of(tier: TierId, isCaptioned: boolean): Promise<TierModels>;
  warmUp(): Promise<void>;
  /** Frees all encoded speech, when a window is done. */
  freeSpeech(): void;
  close(): Promise<void>;
}

export const loadModels = async (options: {
  readonly modelFolder: (weightsId: string) => string;
  readonly tiers: readonly TierId[];
  /** Tiers to load at the start (default: all); the others are loaded on demand. */
  readonly loaded?: readonly TierId[];
  readonly threads: number;
  /** Default: the tiers as shipped. */
  readonly table?: TierTable | undefined;
}): Promise<LoadedModels> => {
  const catalogue = readCatalogue();
  const { table = TIERS } = options;
  const models = new Map<string, AcousticModel>();
  const load = async (tier: Tier): Promise<void> => {
    for (const id of modelsOf(tier)) {
      if (models.has(id)) continue;
      const folder = options.modelFolder(id);
      const entry = catalogue.find((model) => model.id === id);
      const family = await acousticFamily(entry?.family ?? '');
      const { threads } = options;
      const { languages } = entry ?? {};
      models.set(id, await family.load({ id, folder, compiledFolder: compiledFolder(folder), threads, languages }));
    }
  };
  for (const tier of options.loaded ?? options.tiers) await load(table[tier]);
  const loaded = (id: string): AcousticModel => {
    const model = models.get(id);
    if (!model) throw new Error(`The model "${id}" was not loaded in this process.`);
    return model;
  };
  const multilingual = (id: string): MultilingualModel => {
    const model = loaded(id);
    if (!isMultilingual(model)) throw new Error(`The model "${id}" cannot detect languages.`);
    return model;
  };
  return {
    of: async (tierId, isCaptioned) => {
      if (!options.tiers.includes(tierId)) throw new Error(`This process does not serve the tier ${tierId}.`);
      const usual = table[tierId];
      const tier = isCaptioned ? { ...usual, ...usual.captions } : usual;
      await load(tier);
      return {
        tier,
        english: loaded(tier.english),
        secondEnglish: tier.secondEnglish === null ? null : loaded(tier.secondEnglish),
        fallbackEnglish: tier.fallbackEnglish === null ? null : loaded(tier.fallbackEnglish),
        multilingual: multilingual(tier.multilingual),
        detector: multilingual(tier.detector),
        secondDetector: multilingual(tier.secondDetector),
        readers: new Map(Object.entries(tier.readers).map(([language, id]) => [language, loaded(id)])),
      };
    },
    warmUp: async () => {
      for (const model of models.values()) await model.warmUp();
    },
    freeSpeech: () => {
      for (const model of models.values()) model.freeSpeech?.();
    },
    close: async () => {
      for (const model of models.values()) await model.close();
    },
  };
};
