// Maps model names of other services to tiers, so that their clients work unchanged.
import { isModelId, MODEL_IDS, type ModelId } from '@faircopy/contract';

/** A name, or a prefix with `*`, and its tier. The first match wins. */
export type ModelAlias = readonly [name: string, tier: ModelId];

const ALIASES: readonly ModelAlias[] = [
  ['whisper-1', 'svc-1.0-max'],
  ['gpt-4o-mini-transcribe*', 'svc-1.0-pro'],
  ['gpt-4o-transcribe', 'svc-1.0-max'],
  ['gpt-4o-transcribe-diarize', 'svc-1.0-max'],
  ['gpt-transcribe', 'svc-1.0-max'],
  ['gpt-live-transcribe', 'svc-1.0-max'],
  ['gpt-realtime-whisper', 'svc-1.0-max'],
  ['whisper-tiny*', 'svc-1.0-lite'],
  ['whisper-base*', 'svc-1.0-lite'],
  ['whisper-small*', 'svc-1.0-pro'],
  ['whisper-medium*', 'svc-1.0-pro'],
  ['whisper-large*', 'svc-1.0-max'],
  ['nova-3*', 'svc-1.0-max'],
  ['nova-2*', 'svc-1.0-max'],
  ['nova*', 'svc-1.0-lite'],
  ['enhanced*', 'svc-1.0-pro'],
  ['base*', 'svc-1.0-lite'],
];

const fits = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

export class ModelNames {
  readonly #aliases: readonly ModelAlias[];
  readonly #loaded: readonly ModelId[];

  /** The operator's aliases precede ours. */
  constructor(ofOperator: readonly ModelAlias[], loaded: readonly ModelId[]) {
    this.#aliases = [...ofOperator, ...ALIASES].map(([name, tier]) => [name.toLowerCase(), tier]);
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
