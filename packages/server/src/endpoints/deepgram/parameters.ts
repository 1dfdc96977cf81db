// The query parameters that Deepgram's endpoints share. Those without effect are answered with a warning.
import { type ModelId, TERM_LIMITS, type Term } from '@faircopy/contract';
import type { SampleFormat } from '../../audio/upload-decoding.ts';
import type { TranscriptionOptions } from '../../calls/call.ts';
import type { ModelNames } from '../../calls/model-names.ts';
import { profanityFilter } from '../../calls/redaction-names.ts';
import { readTags } from '../../calls/request-tags.ts';
import { checkTerms, requestTerm } from '../../calls/request-vocabulary.ts';
import { SPEAKER_COUNT_FIELDS, speakerCountOf, speakerOptionsOf } from '../../calls/speakers/speaker-options.ts';
import { invalidRequest } from '../../lib/fault.ts';
import { languagesOf } from '../../lib/language-names.ts';
import { type Endpoint, type Warning, warningsFor } from './options.ts';
import { redactNames } from './redaction.ts';

export type Query = Readonly<Record<string, unknown>>;

export interface DeepgramOptions {
  readonly transcription: TranscriptionOptions;
  readonly text: TextForm;
  /** Queries of `search`. */
  readonly searches: readonly string[];
  readonly warnings: readonly Warning[];
  readonly multichannel: boolean;
  readonly extra: Readonly<Record<string, string>>;
  readonly replacements: readonly Replacement[];
}

/** How the text is written. */
export interface TextForm {
  /** raw: as recognised. */
  readonly base: 'refined' | 'raw';
  /** Whether "uh" and "um" are kept. */
  readonly fillers: boolean;
  readonly numerals: boolean;
  readonly punctuation: boolean;
}

export interface Replacement {
  readonly find: string;
  readonly replace: string;
}

/** The sample format of audio without a container. */
export interface RawAudio {
  readonly kind: 'raw';
  readonly format: SampleFormat;
  readonly sampleRateHz: number;
  readonly channels: number;
}

/** Scheme words that the Authorization header may have. */
export const KEY_SCHEMES = ['Token', 'Bearer'] as const;

const SAMPLE_RATE_HZ = { min: 8_000, max: 192_000 };
const CHANNELS_MAX = 8;
const LIST_MAX = 128;
const MODEL_DEFAULT = 'base';

const FORMATS: Readonly<Record<string, SampleFormat>> = {
  linear16: { kind: 'signed', bytes: 2, bigEndian: false },
  linear32: { kind: 'float', bytes: 4, bigEndian: false },
  mulaw: { kind: 'mulaw', bytes: 1, bigEndian: false },
  alaw: { kind: 'alaw', bytes: 1, bigEndian: false },
};
/** Encodings with a container, which specifies the format. */
const CONTAINERS = new Set(['opus', 'ogg-opus', 'flac', 'webm', 'ogg', 'mp3', 'aac', 'wav', 'containerized']);

/** All values of a parameter, which may be repeated. */
export const allOf = (query: Query, name: string, most = LIST_MAX): readonly string[] => {
  const value = query[name];
  const values = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string' && each !== '');
  if (values.length > most) throw invalidRequest(`"${name}" may be given at most ${most} times.`, name);
  return values as string[];
};

export const oneOf = (query: Query, name: string): string | undefined => allOf(query, name).at(-1);

export const flagOf = (query: Query, name: string): boolean => {
  const value = oneOf(query, name)?.toLowerCase();
  if (value === undefined || value === 'false' || value === '0') return false;
  if (value === 'true' || value === '1') return true;
  throw invalidRequest(`"${name}" must be true or false.`, name);
};

export const numberOf = (query: Query, name: string, min: number, max: number): number | undefined => {
  const text = oneOf(query, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw invalidRequest(`"${name}" must be a whole number from ${min} to ${max}.`, name);
};

const tierOf = (query: Query, names: ModelNames): ModelId => {
  const tier = names.tierOf(oneOf(query, 'model') ?? MODEL_DEFAULT);
  if (tier === null) throw invalidRequest('No such model/language/tier combination found.', 'model');
  return tier;
};

const FLAGS = new Set(['true', 'false', '1', '0']);

/** `detect_language` is a flag, or the languages to choose from. It takes precedence over `language`. */
const languagesIn = (query: Query): Pick<TranscriptionOptions, 'languageHint' | 'languages'> => {
  const language = oneOf(query, 'language');
  const detects = allOf(query, 'detect_language').filter((value) => value !== 'false' && value !== '0');
  const named = detects.filter((value) => !FLAGS.has(value.toLowerCase()));
  const languages = languagesOf(named, 'detect_language');
  return {
    languageHint: detects.length > 0 || language === 'multi' ? undefined : language,
    ...(languages.length > 0 && { languages }),
  };
};

const KEYWORD = /^(.+?)(?::(-?\d+(?:\.\d+)?))?$/u;

/** `keywords=WORD:INTENSIFIER`. Intensifiers below zero suppress a word, which terms cannot. */
const keywordOf = (keyword: string): Term => {
  const [, text = keyword, intensifier] = KEYWORD.exec(keyword) ?? [];
  const term = requestTerm(text, 'keywords');
  if (intensifier === undefined) return term;
  return { ...term, weight: Math.min(TERM_LIMITS.weightMax, Math.max(0, Number(intensifier))) };
};

/** Throws INVALID_REQUEST for terms that are too many or too long. */
export const keyterms = (texts: readonly string[]): readonly Term[] =>
  checkTerms(
    texts.map((text) => requestTerm(text, 'keyterm')),
    'keyterm',
  );

const vocabularyOf = (query: Query): readonly Term[] => {
  const termsOf = (name: string) => allOf(query, name, TERM_LIMITS.countMax);
  const terms = [...keyterms(termsOf('keyterm')), ...termsOf('keywords').map(keywordOf)];
  return checkTerms(terms, 'keyterm');
};

const pairsOf = (query: Query, name: string): (readonly [string, string])[] =>
  allOf(query, name).map((pair) => {
    const at = pair.indexOf(':');
    return at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
  });

/** Any `diarize_model` or older `diarize_version` turns diarisation on. Counts and known voices are extensions. */
const speakersOf = (query: Query): Pick<TranscriptionOptions, 'speakers'> => {
  const named = ['diarize_model', 'diarize_version'].map((name) => oneOf(query, name)).find((name) => name);
  const asked = oneOf(query, 'diarize') === undefined ? undefined : flagOf(query, 'diarize');
  const counts = SPEAKER_COUNT_FIELDS.flatMap((name) => {
    const text = oneOf(query, name);
    return text === undefined ? [] : [[name, speakerCountOf(text, name)] as const];
  });
  const speakers = speakerOptionsOf({
    ...Object.fromEntries(counts),
    known_voices: flagOf(query, 'known_voices'),
    speakers: asked ?? (named !== undefined || undefined),
  });
  return speakers ? { speakers } : {};
};

const textFormOf = (query: Query): TextForm => {
  const isFormatted = ['smart_format', 'dictation', 'paragraphs'].map((name) => flagOf(query, name)).includes(true);
  return {
    base: isFormatted ? 'refined' : 'raw',
    fillers: flagOf(query, 'filler_words'),
    numerals: flagOf(query, 'numerals'),
    // Punctuation is removed only on request, not when the option is left out.
    punctuation: flagOf(query, 'punctuate') || isFormatted || oneOf(query, 'punctuate') === undefined,
  };
};

/** A search is compared with every place of the text, and a replacement is copied to where its words were said. */
const PHRASE_CHARACTERS_MAX = 100;

const checkPhrase = (name: string, ...texts: readonly string[]): void => {
  if (texts.some((text) => text.length > PHRASE_CHARACTERS_MAX))
    throw invalidRequest(`"${name}" takes texts of up to ${PHRASE_CHARACTERS_MAX} characters.`, name);
};

const searchesIn = (query: Query): readonly string[] => {
  const searches = allOf(query, 'search');
  checkPhrase('search', ...searches);
  return searches;
};

const replacementsIn = (query: Query): readonly Replacement[] =>
  pairsOf(query, 'replace')
    .filter(([find]) => find.trim() !== '')
    .map(([find, replace]) => {
      checkPhrase('replace', find, replace);
      return { find, replace };
    });

export const readDeepgramOptions = (query: Query, names: ModelNames, endpoint: Endpoint): DeepgramOptions => ({
  warnings: warningsFor(query, endpoint),
  transcription: {
    model: tierOf(query, names),
    ...languagesIn(query),
    wantWordTimes: true,
    vocabulary: vocabularyOf(query),
    tags: readTags(allOf(query, 'tag')),
    redact: [...redactNames(allOf(query, 'redact')), ...profanityFilter(flagOf(query, 'profanity_filter'))],
    ...speakersOf(query),
  },
  text: textFormOf(query),
  searches: searchesIn(query),
  multichannel: flagOf(query, 'multichannel'),
  extra: Object.fromEntries(pairsOf(query, 'extra')),
  replacements: replacementsIn(query),
});

/** The format of raw samples; null when the audio has a container. */
export const readRawAudio = (query: Query): RawAudio | null => {
  const encoding = oneOf(query, 'encoding')?.toLowerCase();
  const sampleRateHz = numberOf(query, 'sample_rate', SAMPLE_RATE_HZ.min, SAMPLE_RATE_HZ.max);
  const channels = numberOf(query, 'channels', 1, CHANNELS_MAX) ?? 1;
  if (encoding === undefined || CONTAINERS.has(encoding)) return null;
  const format = FORMATS[encoding];
  if (!format)
    throw invalidRequest(
      `"encoding" must be one of ${[...Object.keys(FORMATS), 'opus', 'ogg-opus', 'flac'].join(', ')}.`,
      'encoding',
    );
  if (sampleRateHz === undefined) throw invalidRequest('"sample_rate" is required for raw audio.', 'sample_rate');
  return { kind: 'raw', format, sampleRateHz, channels };
};
