// The schema of the tiers in tiers.json: which model has which role, and when to trust the fast English one.
import { readFileSync } from 'node:fs';
import { MODEL_IDS } from '@faircopy/contract';
import { z } from 'zod';
import type { TierId } from '../recogniser.ts';

const modelId = z.string().regex(/^[\w.-]+$/);
const share = z.number().min(0).max(1);
const voteWeight = z.number().positive().max(10);

/** When to accept the English model's text without the multilingual one. A second English model, if any, must agree. */
const trust = z.strictObject({
  /** Average log-probability of its tokens. */
  logProbabilityMin: z.number().max(0),
  /** Words with a lower confidence are doubtful … */
  doubtfulBelow: share,
  /** … and at most this share of the words may be doubtful. */
  doubtfulShareMax: share,
});

const englishReader = z.strictObject({
  /** The fast English model; it runs first unless another language is believed. */
  english: modelId,
  /** Average log-probability at which its text is evidence neither for nor against English. */
  englishNeutral: z.number().max(0),
  trust: z.strictObject({
    /** The session has been English so far. */
    believed: trust,
    /** The language is unknown. */
    unknown: trust,
    /** The caller hints at another language. */
    hintedOther: trust,
  }),
});

/** Thresholds are fitted on many kinds of recordings: see docs/decisions/tiers.md. */
const tier = englishReader.extend({
  /** A second English model of another kind: text that both agree on is accepted. */
  secondEnglish: modelId.nullable(),
  /** Reads English that the first model is unsure of. If it confirms the text, both are merged. */
  fallbackEnglish: modelId.nullable(),
  /** The model for all other languages, and for English that the first model is unsure of. */
  multilingual: modelId,
  /** Weights of the models in a vote. */
  weights: z.strictObject({ multilingual: voteWeight, english: voteWeight, secondEnglish: voteWeight }),
  /** Detects the language while it is unknown. This is rare in a session, so the model may be larger. */
  detector: modelId,
  /** In shorter windows, `multilingual` detects the language and no texts are compared: the detector costs too much. */
  detectorSecondsMin: z.number().min(0).max(30),
  /** Also asked when the detector is unsure: two models are rarely wrong in the same way. */
  secondDetector: modelId,
  /** By language: models that read it without the cascade once the language is known. */
  readers: z.record(z.string().regex(/^[a-z]{2,3}$/), modelId),
  /** When to accept the first English model's text without the second one. */
  trustAlone: trust.nullable(),
  /** Decoding is retried at these temperatures while the text is a loop or improbable. */
  temperatures: z.array(z.number().min(0).max(2)).max(5),
  /** Replaces the English model for live captions; null keeps it. */
  captions: englishReader.nullable(),
});

export type Trust = Readonly<z.infer<typeof trust>>;
export type EnglishTrust = Readonly<z.infer<typeof englishReader>['trust']>;
export type Tier = Readonly<z.infer<typeof tier>>;
export type TierTable = Readonly<Record<TierId, Tier>>;

export const parseTiers = (json: string): TierTable => z.record(z.enum(MODEL_IDS), tier).parse(JSON.parse(json));

/** As shipped. */
export const TIERS: TierTable = parseTiers(readFileSync(new URL('./tiers.json', import.meta.url), 'utf8'));

/** Catalogue ids of all models that the tiers need. */
export const weightsFor = (tiers: readonly TierId[], table: TierTable = TIERS): readonly string[] => [
  ...new Set(
    tiers.flatMap((id) => [
      ...modelsOf(table[id]),
      ...(table[id].captions === null ? [] : [table[id].captions.english]),
    ]),
  ),
];

/** Catalogue ids of the models of a tier. */
export const modelsOf = ({
  english,
  secondEnglish,
  fallbackEnglish,
  multilingual,
  detector,
  secondDetector,
  readers,
}: Tier): readonly string[] => [
  english,
  ...[secondEnglish, fallbackEnglish].filter((id) => id !== null),
  multilingual,
  detector,
  secondDetector,
  ...Object.values(readers),
];
