// The configuration of a realtime transcription session: parses and renders its current form and the older, flat one.
import { type ModelId, parseRedaction, REDACTION_NAMES, type RedactionName, type Term } from '@faircopy/contract';
import type { LiveAudio, SampleFormat } from '../../../audio/upload-decoding.ts';
import type { TranscriptionOptions } from '../../../calls/call.ts';
import type { ModelNames } from '../../../calls/model-names.ts';
import { mergeVocabulary, REQUEST_TERMS } from '../../../calls/request-vocabulary.ts';
import type { TurnThresholds } from '../../../calls/transcript.ts';
import { Fault } from '../../../lib/fault.ts';
import { languagesOf } from '../../../lib/language-names.ts';
import { termsOfPrompt } from '../transcriptions/prompt-terms.ts';

export type TurnDetection =
  | { readonly type: 'server_vad'; readonly silenceMs: number }
  | { readonly type: 'semantic_vad'; readonly eagerness: Eagerness };

type Eagerness = 'low' | 'medium' | 'high' | 'auto';

/** With less eagerness, the end of a turn must be more certain, and the silence that always ends it is longer. */
const EAGERNESS: Readonly<Record<Eagerness, TurnThresholds>> = {
  low: { end: 0.95, eagerEnd: null, timeoutMs: 8_000 },
  medium: { end: 0.9, eagerEnd: null, timeoutMs: 4_000 },
  auto: { end: 0.9, eagerEnd: null, timeoutMs: 4_000 },
  high: { end: 0.7, eagerEnd: null, timeoutMs: 2_000 },
};
/** Short, because a pause does not end a turn: its words should be recognised by the time the turn is judged. */
const SEMANTIC_SILENCE_MS = 300;

export interface AudioFormat {
  readonly type: 'audio/pcm' | 'audio/pcmu' | 'audio/pcma';
  readonly rate: number;
}

export interface SessionConfig {
  /** The name that the client used. */
  readonly modelName: string;
  readonly model: ModelId;
  readonly language: string | undefined;
  /** An extension: the languages that may be spoken; empty for any. */
  readonly languages: readonly string[];
  readonly keywords: readonly Term[];
  readonly prompt: string | undefined;
  /** An extension: what to redact, in addition to what the account and the key always redact. */
  readonly redact: readonly RedactionName[];
  readonly format: AudioFormat;
  /** Null when the client commits items itself. */
  readonly turnDetection: TurnDetection | null;
}

/** An invalid update. The message is for the client. */
export class ConfigProblem extends Error {
  readonly param: string;
  constructor(param: string, message: string) {
    super(message);
    this.param = param;
  }
}

const SILENCE_MS_DEFAULT = 500;
const RATE_HZ = { min: 8_000, max: 48_000, default: 24_000 };
const PHONE_RATE_HZ = 8_000;
const LIST_MAX = 32;

export const defaultConfig = (modelName: string, model: ModelId): SessionConfig => ({
  modelName,
  model,
  language: undefined,
  languages: [],
  keywords: [],
  prompt: undefined,
  redact: [],
  format: { type: 'audio/pcm', rate: RATE_HZ.default },
  turnDetection: { type: 'server_vad', silenceMs: SILENCE_MS_DEFAULT },
});

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const fieldsOf = (value: unknown, param: string): Fields => {
  if (value === undefined || value === null) return {};
  if (isFields(value) && !Array.isArray(value)) return value;
  throw new ConfigProblem(param, `"${param}" must be an object.`);
};

const formatOf = (value: unknown, before: AudioFormat): AudioFormat => {
  if (value === undefined || value === null) return before;
  const param = 'session.audio.input.format';
  const { type, rate = RATE_HZ.default } = typeof value === 'string' ? { type: value } : fieldsOf(value, param);
  if (type === 'audio/pcmu' || type === 'g711_ulaw') return { type: 'audio/pcmu', rate: PHONE_RATE_HZ };
  if (type === 'audio/pcma' || type === 'g711_alaw') return { type: 'audio/pcma', rate: PHONE_RATE_HZ };
  if (type !== 'audio/pcm' && type !== 'pcm16')
    throw new ConfigProblem(param, 'The format must be audio/pcm, audio/pcmu or audio/pcma.');
  if (!Number.isInteger(rate) || Number(rate) < RATE_HZ.min || Number(rate) > RATE_HZ.max)
    throw new ConfigProblem(param, `The rate must be from ${RATE_HZ.min} to ${RATE_HZ.max}.`);
  return { type: 'audio/pcm', rate: Number(rate) };
};

const turnDetectionOf = (value: unknown, before: TurnDetection | null): TurnDetection | null => {
  if (value === undefined) return before;
  if (value === null) return null;
  const param = 'session.audio.input.turn_detection';
  const fields = fieldsOf(value, param);
  const { type = 'server_vad', silence_duration_ms: silenceMs = SILENCE_MS_DEFAULT } = fields;
  if (type === 'semantic_vad') {
    const eagerness = fields.eagerness ?? 'auto';
    if (typeof eagerness === 'string' && Object.hasOwn(EAGERNESS, eagerness))
      return { type, eagerness: eagerness as Eagerness };
    throw new ConfigProblem(`${param}.eagerness`, 'The eagerness must be low, medium, high or auto.');
  }
  if (type !== 'server_vad') throw new ConfigProblem(`${param}.type`, 'The type must be server_vad or semantic_vad.');
  if (typeof silenceMs !== 'number' || !(silenceMs >= 0 && silenceMs <= 10_000))
    throw new ConfigProblem(`${param}.silence_duration_ms`, 'The silence must be from 0 to 10000 ms.');
  return { type, silenceMs };
};

const textOf = (value: unknown, before: string | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : value === null ? undefined : before;

const keywordsOf = (value: unknown, before: readonly Term[]): readonly Term[] => {
  if (!Array.isArray(value)) return before;
  const texts = value.slice(0, REQUEST_TERMS.countMax);
  if (texts.every((text) => typeof text === 'string')) return mergeVocabulary([], texts);
  throw new ConfigProblem('session.audio.input.transcription.keywords', 'Every keyword must be a text.');
};

/** Parses a list of names or a comma-separated string. Null requests no redaction. */
const redactOf = (value: unknown, before: readonly RedactionName[]): readonly RedactionName[] => {
  if (value === undefined) return before;
  if (value === null) return [];
  const texts = (Array.isArray(value) ? value : [value]).slice(0, LIST_MAX);
  const names = texts.every((text) => typeof text === 'string') ? parseRedaction(texts as string[]) : null;
  if (names !== null) return names;
  const param = 'session.audio.input.transcription.redact';
  throw new ConfigProblem(param, `"redact" may name ${REDACTION_NAMES.join(', ')}.`);
};

/** Parses a list of codes or a comma-separated string. Null allows any language. */
const allowedLanguagesOf = (value: unknown, before: readonly string[]): readonly string[] => {
  if (value === undefined) return before;
  if (value === null) return [];
  const texts = (Array.isArray(value) ? value : [value]).slice(0, LIST_MAX);
  const param = 'session.audio.input.transcription.languages';
  if (!texts.every((text) => typeof text === 'string')) throw new ConfigProblem(param, '"languages" must be codes.');
  try {
    return languagesOf(texts as string[]);
  } catch (problem) {
    throw problem instanceof Fault ? new ConfigProblem(param, problem.message) : problem;
  }
};

const transcriptionOf = (value: unknown, before: SessionConfig, names: ModelNames) => {
  const param = 'session.audio.input.transcription';
  const fields = fieldsOf(value, param);
  const modelName = textOf(fields.model, before.modelName) ?? before.modelName;
  const model = names.tierOf(modelName);
  if (model === null) throw new ConfigProblem(`${param}.model`, 'The model is not known here.');
  return {
    modelName,
    model,
    language: textOf(fields.language, before.language),
    languages: allowedLanguagesOf(fields.languages, before.languages),
    prompt: textOf(fields.prompt, before.prompt),
    keywords: keywordsOf(fields.keywords, before.keywords),
    redact: redactOf(fields.redact, before.redact),
  };
};

/** Applies an update in the current form: `session.audio.input`. */
export const updatedConfig = (session: unknown, before: SessionConfig, names: ModelNames): SessionConfig => {
  const { type, audio } = fieldsOf(session, 'session');
  if (type !== undefined && type !== 'transcription')
    throw new ConfigProblem('session.type', 'Only transcription sessions are served here.');
  const input = fieldsOf(fieldsOf(audio, 'session.audio').input, 'session.audio.input');
  return {
    ...transcriptionOf(input.transcription, before, names),
    format: formatOf(input.format, before.format),
    turnDetection: turnDetectionOf(input.turn_detection, before.turnDetection),
  };
};

/** Applies an update in the older, flat form. */
export const updatedFlatConfig = (session: unknown, before: SessionConfig, names: ModelNames): SessionConfig => {
  const fields = fieldsOf(session, 'session');
  return {
    ...transcriptionOf(fields.input_audio_transcription, before, names),
    format: formatOf(fields.input_audio_format, before.format),
    turnDetection: turnDetectionOf(fields.turn_detection, before.turnDetection),
  };
};

const shownTurnDetection = (turn: TurnDetection | null) =>
  turn?.type === 'server_vad'
    ? { type: turn.type, threshold: 0.5, prefix_padding_ms: 300, silence_duration_ms: turn.silenceMs }
    : turn;

const silenceMsOf = (turn: TurnDetection | null): number | null => {
  if (turn === null) return null;
  return turn.type === 'server_vad' ? turn.silenceMs : SEMANTIC_SILENCE_MS;
};

const shownTranscription = ({ modelName, language, languages, prompt, redact }: SessionConfig) => ({
  model: modelName,
  language: language ?? null,
  ...(languages.length > 0 && { languages }),
  prompt: prompt ?? '',
  ...(redact.length > 0 && { redact }),
});

export interface SessionIdentity {
  readonly id: string;
  readonly expiresAt: number;
}

export const shownSession = ({ id, expiresAt }: SessionIdentity, config: SessionConfig) => ({
  type: 'transcription',
  object: 'realtime.transcription_session',
  id,
  expires_at: expiresAt,
  include: null,
  audio: {
    input: {
      format: config.format,
      transcription: shownTranscription(config),
      noise_reduction: null,
      turn_detection: shownTurnDetection(config.turnDetection),
    },
  },
});

const FLAT_FORMATS = { 'audio/pcm': 'pcm16', 'audio/pcmu': 'g711_ulaw', 'audio/pcma': 'g711_alaw' } as const;

export const shownFlatSession = ({ id, expiresAt }: SessionIdentity, config: SessionConfig) => ({
  object: 'realtime.transcription_session',
  id,
  expires_at: expiresAt,
  input_audio_format: FLAT_FORMATS[config.format.type],
  input_audio_transcription: shownTranscription(config),
  turn_detection: shownTurnDetection(config.turnDetection),
});

const SAMPLE_FORMATS: Readonly<Record<AudioFormat['type'], SampleFormat>> = {
  'audio/pcm': { kind: 'signed', bytes: 2, bigEndian: false },
  'audio/pcmu': { kind: 'mulaw', bytes: 1, bigEndian: false },
  'audio/pcma': { kind: 'alaw', bytes: 1, bigEndian: false },
};

export const liveAudioOf = ({ format }: SessionConfig): LiveAudio & { readonly kind: 'raw' } => ({
  kind: 'raw',
  format: SAMPLE_FORMATS[format.type],
  sampleRateHz: format.rate,
  channels: 1,
});

export const liveOptionsOf = ({
  model,
  language,
  languages,
  keywords,
  prompt,
  redact,
  turnDetection,
}: SessionConfig): TranscriptionOptions => ({
  model,
  languageHint: language,
  ...(languages.length > 0 && { languages }),
  vocabulary: prompt === undefined ? keywords : [...keywords, ...termsOfPrompt(prompt)],
  redact,
  wantWordTimes: false,
  finals: {
    kind: 'utterances',
    endpointingMs: silenceMsOf(turnDetection),
    ...(turnDetection?.type === 'semantic_vad' && { turns: EAGERNESS[turnDetection.eagerness] }),
    // Without turn detection, no deltas are sent before the client commits.
    wantInterims: turnDetection !== null,
  },
});
