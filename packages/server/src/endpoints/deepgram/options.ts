// Every option of Deepgram's listen API, and how this server handles it. docs/deepgram.md has the same table.
import { invalidRequest } from '../../lib/fault.ts';

/** yes: supported. ignored: gives a warning. refused: gives 400. none: Deepgram has no such option there. */
export type Support = 'yes' | 'ignored' | 'refused' | 'none';

/** `turns` is `/v2/listen`. */
interface OptionSupport {
  readonly file: Support;
  readonly live: Support;
  readonly turns: Support;
}
export type Endpoint = keyof OptionSupport;

const all = (support: Support): OptionSupport => ({ file: support, live: support, turns: support });
const notTurns = (support: Support): OptionSupport => ({ ...all(support), turns: 'none' });
const fileOnly = (file: Support): OptionSupport => ({ file, live: 'none', turns: 'none' });
const liveOnly = (live: Support): OptionSupport => ({ file: 'none', live, turns: 'none' });
const turnsOnly: OptionSupport = { file: 'none', live: 'none', turns: 'yes' };

export const DEEPGRAM_OPTIONS: Readonly<Record<string, OptionSupport>> = {
  callback: all('refused'),
  callback_method: all('refused'),
  channels: all('yes'),
  custom_intent: fileOnly('ignored'),
  custom_intent_mode: fileOnly('ignored'),
  custom_topic: fileOnly('ignored'),
  custom_topic_mode: fileOnly('ignored'),
  detect_entities: all('ignored'),
  detect_language: all('yes'),
  diarize: notTurns('yes'),
  diarize_model: notTurns('yes'),
  diarize_version: notTurns('yes'),
  dictation: all('yes'),
  eager_eot_threshold: turnsOnly,
  encoding: all('yes'),
  endpointing: liveOnly('yes'),
  eot_threshold: turnsOnly,
  eot_timeout_ms: turnsOnly,
  extra: notTurns('yes'),
  filler_words: all('yes'),
  intents: fileOnly('ignored'),
  interim_results: liveOnly('yes'),
  keyterm: all('yes'),
  keywords: all('yes'),
  language: all('yes'),
  language_hint: turnsOnly,
  measurements: all('ignored'),
  mip_opt_out: all('yes'),
  model: all('yes'),
  multichannel: notTurns('yes'),
  no_delay: liveOnly('ignored'),
  numerals: all('yes'),
  paragraphs: fileOnly('yes'),
  profanity_filter: all('yes'),
  punctuate: all('yes'),
  redact: all('yes'),
  replace: notTurns('yes'),
  sample_rate: all('yes'),
  search: notTurns('yes'),
  sentiment: fileOnly('ignored'),
  smart_format: all('yes'),
  summarize: fileOnly('ignored'),
  tag: all('yes'),
  topics: fileOnly('ignored'),
  utt_split: fileOnly('yes'),
  utterance_end_ms: liveOnly('yes'),
  utterances: fileOnly('yes'),
  vad_events: liveOnly('yes'),
  version: all('ignored'),
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
export const warningsFor = (query: Readonly<Record<string, unknown>>, endpoint: Endpoint): Warning[] => {
  const warnings: Warning[] = [];
  for (const [given, value] of Object.entries(query)) {
    const support = Object.hasOwn(DEEPGRAM_OPTIONS, given) ? DEEPGRAM_OPTIONS[given]![endpoint] : undefined;
    const isExtension = EXTENSIONS.has(given) && endpoint !== 'turns';
    if (support === 'yes' || isExtension || !isOn(value)) continue;
    // Ignoring the option would disclose text or send it to the wrong place.
    if (support === 'refused') throw invalidRequest(`"${given}" is not available here.`, given);
    const parameter = given.slice(0, NAME_CHARACTERS_MAX);
    if (warnings.length < WARNINGS_MAX)
      warnings.push({ parameter, type: 'unsupported_parameter', message: sentenceFor(parameter, support) });
  }
  return warnings;
};
