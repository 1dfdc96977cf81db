// The tiers: which models each uses, and when it trusts the fast English one. Data, not code paths.
import type { ModelId } from '@faircopy/contract';
import type { EngineModelId } from '../model-files.ts';

/** Average log-probability above which the English model's text stands without a second opinion. */
export interface EnglishTrust {
  /** The session has been in English so far. */
  readonly believed: number;
  /** Nothing is known of the language. */
  readonly unknown: number;
  /** The caller hints at another language. */
  readonly hintedOther: number;
}

export interface Tier {
  /** The fast English model; it is asked first unless another language is believed. */
  readonly english: EngineModelId;
  /** The model of every other language; also mends what the English one cannot hear. */
  readonly multilingual: EngineModelId;
  /** Tells languages apart where none is believed yet; once per session, so it may be a better one. */
  readonly listener: EngineModelId;
  readonly trust: EnglishTrust;
  /** Decoding is tried again at the next temperature while the text is a loop or improbable. */
  readonly temperatures: readonly number[];
  /** Whether terms to listen for are worth a second opinion in English, since only Whisper takes them. */
  readonly vocabulary: 'always' | 'when Whisper is used anyway';
}

export const TIERS: Readonly<Record<ModelId, Tier>> = {
  'svc-1.0-lite': {
    english: 'moonshine-tiny',
    multilingual: 'whisper-base',
    listener: 'whisper-small',
    trust: { believed: -0.3, unknown: -0.2, hintedOther: -0.12 },
    temperatures: [0, 0.4],
    vocabulary: 'when Whisper is used anyway',
  },
  'svc-1.0-pro': {
    english: 'moonshine-base',
    multilingual: 'whisper-small',
    listener: 'whisper-small',
    trust: { believed: -0.35, unknown: -0.25, hintedOther: -0.15 },
    temperatures: [0, 0.4],
    vocabulary: 'when Whisper is used anyway',
  },
  'svc-1.0-max': {
    english: 'moonshine-base',
    multilingual: 'whisper-small',
    listener: 'whisper-small',
    trust: { believed: -0.1, unknown: -0.1, hintedOther: -0.1 },
    temperatures: [0, 0.4, 0.8],
    vocabulary: 'always',
  },
};

/** Ids of the models that the tiers need, each once. */
export const modelsFor = (tiers: readonly ModelId[]): readonly EngineModelId[] => [
  ...new Set(tiers.flatMap((tier) => [TIERS[tier].english, TIERS[tier].multilingual, TIERS[tier].listener])),
];
