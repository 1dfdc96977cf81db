// Maps model names of other services to tiers, so that their clients work unchanged.
import { isModelId, MODEL_IDS, type ModelId } from '@faircopy/contract';

/** A name, or a prefix with `*`, and its tier. The first match wins. */
export type ModelAlias = readonly [name: string, tier: ModelId];

/** Whisper sizes, which clients of any service may name. */
const WHISPER_SIZES: readonly ModelAlias[] = [
  ['whisper-tiny*', 'svc-1.0-lite'],
  ['whisper-base*', 'svc-1.0-lite'],
  ['whisper-small*', 'svc-1.0-pro'],
  ['whisper-medium*', 'svc-1.0-pro'],
  ['whisper-large*', 'svc-1.0-max'],
];

const fits = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

export class ModelNames {
  readonly #aliases: readonly ModelAlias[];
  readonly #loaded: readonly ModelId[];

  constructor(aliases: readonly ModelAlias[], loaded: readonly ModelId[]) {
    this.#aliases = [...aliases, ...WHISPER_SIZES].map(([name, tier]) => [name.toLowerCase(), tier]);
    this.#loaded = loaded;
  }

  /** Null when the name is unknown. */
  tierOf(name: string): ModelId | null {
    const known = name.trim().toLowerCase();
    // A tier named directly means that tier, even if it is not loaded.
    if (isModelId(known)) return known;
    const alias = this.#aliases.find(([pattern]) => fits(pattern, known));
    return alias === undefined ? null : this.#nearestLoaded(alias[1]);
  }

  /** Names to list: the tiers, and every alias without `*`. */
  get listed(): readonly string[] {
    const names = this.#aliases.map(([name]) => name.replace(/[-.]?\*$/, ''));
    return [...new Set([...this.#loaded, ...names])].filter((name) => this.tierOf(name) !== null);
  }

  /** A name of another service means "about this good": use the best loaded tier. */
  #nearestLoaded(tier: ModelId): ModelId {
    if (this.#loaded.includes(tier)) return tier;
    return MODEL_IDS.findLast((id) => this.#loaded.includes(id)) ?? tier;
  }
}
