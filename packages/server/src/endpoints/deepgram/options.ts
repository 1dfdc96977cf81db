// Every option of Deepgram's listen API, and how this server handles it. docs/deepgram.md has the same table.
import { invalidRequest } from '../../lib/fault.ts';

/** yes: supported. ignored: gives a warning. refused: gives 400. none: Deepgram has no such option there. */
export type Support = 'yes' | 'ignored' | 'refused' | 'none';

interface OptionSupport {
  readonly file: Support;
  readonly live: Support;
}

const both = (support: Support): OptionSupport => ({ file: support, live: support });
const fileOnly = (file: Support): OptionSupport => ({ file, live: 'none' });
const liveOnly = (live: Support): OptionSupport => ({ file: 'none', live });

export const DEEPGRAM_OPTIONS: Readonly<Record<string, OptionSupport>> = {
  callback: both('refused'),
  callback_method: both('refused'),
  channels: both('yes'),
  custom_intent: fileOnly('ignored'),
  custom_intent_mode: fileOnly('ignored'),
  custom_topic: fileOnly('ignored'),
  custom_topic_mode: fileOnly('ignored'),
  detect_entities: both('ignored'),
  detect_language: both('yes'),
  diarize: both('yes'),
  diarize_model: both('yes'),
  diarize_version: both('yes'),
  dictation: both('yes'),
  encoding: both('yes'),
  endpointing: liveOnly('yes'),
  extra: both('yes'),
  filler_words: both('yes'),
  intents: fileOnly('ignored'),
  interim_results: liveOnly('yes'),
  keyterm: both('yes'),
  keywords: both('yes'),
  language: both('yes'),
  measurements: both('ignored'),
  mip_opt_out: both('yes'),
  model: both('yes'),
  multichannel: both('yes'),
  no_delay: liveOnly('ignored'),
  numerals: both('yes'),
  paragraphs: fileOnly('yes'),
  profanity_filter: both('yes'),
  punctuate: both('yes'),
  redact: both('yes'),
  replace: both('yes'),
  sample_rate: both('yes'),
  search: both('yes'),
  sentiment: fileOnly('ignored'),
  smart_format: both('yes'),
  summarize: fileOnly('ignored'),
  tag: both('yes'),
  topics: fileOnly('ignored'),
  utt_split: fileOnly('yes'),
  utterance_end_ms: liveOnly('yes'),
  utterances: fileOnly('yes'),
  vad_events: liveOnly('yes'),
  version: both('ignored'),
};

/** Options that Deepgram does not have. */
const EXTENSIONS = new Set(['known_voices', 'num_speakers', 'min_speakers', 'max_speakers', 'speaker_changes']);

export interface Warning {
  readonly parameter: string;
  readonly type: 'unsupported_parameter';
  readonly message: string;
}

const WARNINGS_MAX = 32;
const NAME_CHARACTERS_MAX = 64;
const OFF = new Set(['', 'false', '0', 'latest']);

const isOn = (value: unknown): boolean =>
  (Array.isArray(value) ? value : [value]).some((each) => !OFF.has(String(each ?? '').toLowerCase()));

const sentenceFor = (name: string, support: Support | undefined): string => {
  if (support === undefined) return `"${name}" is not known here and was ignored.`;
  return support === 'none'
    ? `"${name}" has no effect at this endpoint.`
    : `"${name}" is not available here and was ignored.`;
};

/** A warning for every option that was given and has no effect. Throws for an option that is refused. */
export const warningsFor = (query: Readonly<Record<string, unknown>>, endpoint: 'file' | 'live'): Warning[] => {
  const warnings: Warning[] = [];
  for (const [given, value] of Object.entries(query)) {
    const support = Object.hasOwn(DEEPGRAM_OPTIONS, given) ? DEEPGRAM_OPTIONS[given]![endpoint] : undefined;
    if (support === 'yes' || EXTENSIONS.has(given) || !isOn(value)) continue;
    // Ignoring the option would disclose text or send it to the wrong place.
    if (support === 'refused') throw invalidRequest(`"${given}" is not available here.`, given);
    const parameter = given.slice(0, NAME_CHARACTERS_MAX);
    if (warnings.length < WARNINGS_MAX)
      warnings.push({ parameter, type: 'unsupported_parameter', message: sentenceFor(parameter, support) });
  }
  return warnings;
};
