// The tiers: which models each uses in which role, and when it trusts the fast English one.
import type { TierId } from '../recogniser.ts';

/** When to accept the English model's text without the multilingual model, given that a second English model agrees. */
export interface Trust {
  /** Average log-probability of its tokens. */
  readonly logProbabilityMin: number;
  /** Words with a lower confidence are doubtful … */
  readonly doubtfulBelow: number;
  /** … and at most this share of the words may be doubtful. */
  readonly doubtfulShareMax: number;
}

export interface EnglishTrust {
  /** The session has been English so far. */
  readonly believed: Trust;
  /** The language is unknown. */
  readonly unknown: Trust;
  /** The caller hints at another language. */
  readonly hintedOther: Trust;
}

export interface Tier {
  /** The fast English model; it runs first unless another language is believed. */
  readonly english: string;
  /** A second English model of another kind: text that both agree on is accepted. */
  readonly secondEnglish: string | null;
  /** Average log-probability at which the text is evidence neither for nor against English. */
  readonly englishNeutral: number;
  /** The model for all other languages, and for English that the first model is unsure of. */
  readonly multilingual: string;
  /** Detects the language while it is unknown; that is rare per session, so it may be a larger model. */
  readonly detector: string;
  /** Asked too when the detector is unsure: two models are rarely wrong in the same way. */
  readonly secondDetector: string;
  readonly trust: EnglishTrust;
  /** When to accept the first English model's text without the second one. */
  readonly trustAlone: Trust | null;
  /** Decoding is retried at these temperatures while the text is a loop or improbable. */
  readonly temperatures: readonly number[];
  /** Replaces the English model for live captions; null keeps it. */
  readonly captions: EnglishReader | null;
}

type EnglishReader = Pick<Tier, 'english' | 'englishNeutral' | 'trust'>;

/** By the average only: in a long recording, nearly every window has one doubtful word. */
const onAverage = (logProbabilityMin: number): Trust => ({ logProbabilityMin, doubtfulBelow: 0, doubtfulShareMax: 1 });

const MOONSHINE_BASE: EnglishReader = {
  english: 'moonshine-base',
  englishNeutral: -0.5,
  trust: {
    believed: onAverage(-0.25),
    unknown: { logProbabilityMin: -0.2, doubtfulBelow: 0.5, doubtfulShareMax: 0.03 },
    hintedOther: onAverage(-0.15),
  },
};

/** Fitted on many kinds of recordings: see docs/decisions/tiers.md. */
export const TIERS: Readonly<Record<TierId, Tier>> = {
  'svc-1.0-lite': {
    english: 'moonshine-tiny',
    secondEnglish: null,
    englishNeutral: -0.42,
    multilingual: 'whisper-base',
    detector: 'whisper-small',
    secondDetector: 'whisper-base',
    trust: {
      believed: onAverage(-0.3),
      unknown: { logProbabilityMin: -0.25, doubtfulBelow: 0.5, doubtfulShareMax: 0.05 },
      hintedOther: onAverage(-0.12),
    },
    trustAlone: null,
    temperatures: [0.4],
    // With the smaller model, doubtful words would not appear before their final.
    captions: MOONSHINE_BASE,
  },
  'svc-1.0-pro': {
    ...MOONSHINE_BASE,
    secondEnglish: null,
    multilingual: 'whisper-small',
    detector: 'whisper-small',
    secondDetector: 'whisper-base',
    trustAlone: null,
    temperatures: [0.4],
    captions: null,
  },
  'svc-1.0-max': {
    ...MOONSHINE_BASE,
    secondEnglish: 'whisper-base.en',
    multilingual: 'whisper-small',
    detector: 'whisper-small',
    secondDetector: 'whisper-base',
    trust: { believed: onAverage(-0.3), unknown: onAverage(-0.3), hintedOther: onAverage(-0.1) },
    trustAlone: { logProbabilityMin: -0.1, doubtfulBelow: 0.7, doubtfulShareMax: 0 },
    temperatures: [0.4, 0.8],
    captions: null,
  },
};

/** The default Whisper of max. */
export const MAX_WHISPER = TIERS['svc-1.0-max'].multilingual;

/** English-only models replace the second English model; Whisper small remains for other languages. */
const ENGLISH_ONLY: ReadonlySet<string> = new Set(['distil-large-v3']);

/** The tier with `maxWhisper` in place of one of max's models. */
export const tierOf = (id: TierId, maxWhisper = MAX_WHISPER): Tier => {
  if (id !== 'svc-1.0-max' || maxWhisper === MAX_WHISPER) return TIERS[id];
  return ENGLISH_ONLY.has(maxWhisper)
    ? { ...TIERS[id], secondEnglish: maxWhisper }
    : { ...TIERS[id], multilingual: maxWhisper, detector: maxWhisper, secondDetector: maxWhisper };
};

/** Catalogue ids of all models that the tiers need. */
export const weightsFor = (tiers: readonly TierId[], maxWhisper = MAX_WHISPER): readonly string[] => [
  ...new Set(
    tiers.flatMap((tier) => {
      const run = tierOf(tier, maxWhisper);
      return [...modelsOf(run), ...(run.captions === null ? [] : [run.captions.english])];
    }),
  ),
];

/** Catalogue ids of the models of a tier. */
export const modelsOf = ({
  english,
  secondEnglish,
  multilingual,
  detector,
  secondDetector,
}: Tier): readonly string[] => [
  english,
  ...(secondEnglish === null ? [] : [secondEnglish]),
  multilingual,
  detector,
  secondDetector,
];
