// The tiers: which models of the catalogue each uses in which role, and when it trusts the fast English one.
import type { TierId } from '../recogniser.ts';

/** What the English model's text must show to stand without the multilingual one's, given that a second English one agrees. */
export interface Trust {
  /** Average log-probability of its tokens. */
  readonly logProbabilityMin: number;
  /** Words whose confidence is below this are doubtful … */
  readonly doubtfulBelow: number;
  /** … and at most this share of the words may be. */
  readonly doubtfulShareMax: number;
}

export interface EnglishTrust {
  /** The session has been in English so far. */
  readonly believed: Trust;
  /** Nothing is known of the language. */
  readonly unknown: Trust;
  /** The caller hints at another language. */
  readonly hintedOther: Trust;
}

export interface Tier {
  /** The fast English model; it comes first unless another language is believed. */
  readonly english: string;
  /** An English model of another kind that reads along: where both agree, their text stands. */
  readonly secondEnglish: string | null;
  /** Average log-probability at which its text speaks neither for nor against English. */
  readonly englishNeutral: number;
  /** The model of every other language, and of English that the first one is unsure of. */
  readonly multilingual: string;
  /** Detects the language while it is not known: few windows per session, so it may be a better model. */
  readonly detector: string;
  /** Asked besides where the detector is unsure: two models are seldom misled in the same way. */
  readonly secondDetector: string;
  readonly trust: EnglishTrust;
  /** Text of the first English model that is this sure stands without the second one. */
  readonly trustAlone: Trust | null;
  /** Decoding is tried again at each of these while the text is a loop or improbable. */
  readonly temperatures: readonly number[];
  /** Whether the caller's vocabulary is worth a second opinion in English, where the English model cannot take it. */
  readonly secondOpinionForVocabulary: boolean;
  /** What reads English instead where text is shown while it is spoken; null where nothing else does. */
  readonly captions: EnglishReader | null;
}

/** The fast English model and what is made of how sure it is. */
type EnglishReader = Pick<Tier, 'english' | 'englishNeutral' | 'trust'>;

/** Judged by the average trustAlone: in a long recording nearly every window has one doubtful word. */
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

/** The figures were fitted on recordings of many kinds: see docs/decisions/tiers.md. */
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
    secondOpinionForVocabulary: false,
    // Words that the smaller one is unsure of would come with their final only.
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
    secondOpinionForVocabulary: false,
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
    secondOpinionForVocabulary: true,
    captions: null,
  },
};

/** Which Whisper max uses unless the operator has a larger one. */
export const MAX_WHISPER = TIERS['svc-1.0-max'].multilingual;

/** Those that know English only: they take the place of the second English model, and Whisper small reads the rest. */
const ENGLISH_ONLY: ReadonlySet<string> = new Set(['distil-large-v3']);

/** A tier as it is run: `maxWhisper` takes the place of one of max's models. */
export const tierOf = (id: TierId, maxWhisper = MAX_WHISPER): Tier => {
  if (id !== 'svc-1.0-max' || maxWhisper === MAX_WHISPER) return TIERS[id];
  return ENGLISH_ONLY.has(maxWhisper)
    ? { ...TIERS[id], secondEnglish: maxWhisper }
    : { ...TIERS[id], multilingual: maxWhisper, detector: maxWhisper, secondDetector: maxWhisper };
};

/** Catalogue ids of the models that the tiers need, each once. */
export const weightsFor = (tiers: readonly TierId[], maxWhisper = MAX_WHISPER): readonly string[] => [
  ...new Set(
    tiers.flatMap((tier) => {
      const run = tierOf(tier, maxWhisper);
      return [...modelsOf(run), ...(run.captions === null ? [] : [run.captions.english])];
    }),
  ),
];

/** Catalogue ids of the models in a tier's roles. */
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
