// The tier behind a model name of another service, so that its clients work as they are.
import { isModelId, MODEL_IDS, type ModelId } from '@faircopy/contract';

/** A name, or the beginning of one with `*` at its end, and the tier it stands for. The first that fits counts. */
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

  /** The operator's aliases come before ours. */
  constructor(ofOperator: readonly ModelAlias[], loaded: readonly ModelId[]) {
    this.#aliases = [...ofOperator, ...ALIASES].map(([name, tier]) => [name.toLowerCase(), tier]);
    this.#loaded = loaded;
  }

  /** Null when the name stands for nothing here. */
  tierOf(name: string): ModelId | null {
    const known = name.trim().toLowerCase();
    // Whoever names a tier means that tier, also where it is not loaded.
    if (isModelId(known)) return known;
    const alias = this.#aliases.find(([pattern]) => fits(pattern, known));
    return alias === undefined ? null : this.#nearestLoaded(alias[1]);
  }

  /** The names to show in a list: our tiers, and every alias that is a whole name. */
  get listed(): readonly string[] {
    const names = this.#aliases.map(([name]) => name.replace(/[-.]?\*$/, ''));
    return [...new Set([...this.#loaded, ...names])].filter((name) => this.tierOf(name) !== null);
  }

  /** A name of another service means "about this good": the best tier there is will do. */
  #nearestLoaded(tier: ModelId): ModelId {
    if (this.#loaded.includes(tier)) return tier;
    return MODEL_IDS.findLast((id) => this.#loaded.includes(id)) ?? tier;
  }
}
