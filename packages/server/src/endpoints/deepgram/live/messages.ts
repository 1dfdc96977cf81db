// The messages of Deepgram's live endpoint: parses the client's, renders ours.
import type { ChangedSpeakers, Final, Interim } from '../../../calls/transcript.ts';
import { alternativeOf, deepgramWord, liveWord, meanConfidence, searchResults, seconds } from '../alternatives.ts';
import { diarizeInfo, modelInfo, modelUuid, speakerNames } from '../model-info.ts';
import { deepgramMarks } from '../redaction.ts';
import { shownWords } from '../word-filters.ts';
import type { ListenRequest } from './handshake.ts';

export type ListenMessage =
  | { readonly type: 'KeepAlive' }
  | { readonly type: 'Finalize'; readonly channel?: number }
  | { readonly type: 'CloseStream' }
  /** Newer clients send messages such as Configure, which are ignored. */
  | { readonly type: 'unknown' };

/** The one message that is not an event of the connection. */
export type ListenCommand = Extract<ListenMessage, { type: 'Finalize' }>;

const TEXT_BYTES_MAX = 4 * 1024;

/** The message, or a sentence about what is wrong with it. */
export const readListenMessage = (text: Buffer): ListenMessage | string => {
  if (text.length > TEXT_BYTES_MAX) return `A text message may have at most ${TEXT_BYTES_MAX} bytes.`;
  let value: unknown;
  try {
    value = JSON.parse(text.toString('utf8'));
  } catch {
    return 'The text message is not JSON.';
  }
  const { type, channel } = (value ?? {}) as { type?: unknown; channel?: unknown };
  if (type === 'KeepAlive' || type === 'CloseStream') return { type };
  if (type === 'Finalize') return { type, ...(Number.isInteger(channel) && { channel: channel as number }) };
  return { type: 'unknown' };
};

/** What every result of a connection repeats. */
export interface ListenFacts {
  readonly requestUuid: string;
  readonly request: ListenRequest;
}

export interface Span {
  readonly channel: number;
  readonly startMs: number;
  readonly endMs: number;
}

const resultOf = ({ requestUuid, request }: ListenFacts, { channel, startMs, endMs }: Span, rest: object) => ({
  type: 'Results',
  channel_index: [channel, request.channels],
  start: seconds(startMs),
  duration: seconds(endMs - startMs),
  ...rest,
  metadata: {
    request_id: requestUuid,
    model_info: modelInfo(request.live.model),
    model_uuid: modelUuid(request.live.model),
    ...diarizeInfo(request.live, modelUuid(request.live.model)),
  },
});

const languages = (language: string | null) => (language === null ? {} : { languages: [language] });

export const interimResult = (facts: ListenFacts, channel: number, interim: Interim) => {
  const { startMs, endMs, language } = interim;
  const words = interim.words.map(deepgramMarks);
  const alternative = {
    transcript: words.map(({ text }) => text.trim()).join(' '),
    confidence: meanConfidence(words),
    ...languages(language),
    words: words.map((word) => deepgramWord({ ...word, text: word.text.trim() })),
  };
  return resultOf(
    facts,
    { channel, startMs, endMs },
    {
      is_final: false,
      speech_final: false,
      from_finalize: false,
      channel: { alternatives: [alternative] },
    },
  );
};

/** `isOver`: nobody has begun to speak since. */
export const finalResult = (facts: ListenFacts, channel: number, final: Final, isOver: boolean) => {
  const { startMs, endMs, transcript, endedBy } = final;
  const { transcript: text, confidence, words } = alternativeOf(shownWords(transcript, facts.request));
  return resultOf(
    facts,
    { channel, startMs, endMs },
    {
      is_final: true,
      speech_final: endedBy === 'endpoint' && isOver,
      from_finalize: endedBy === 'flush',
      channel: {
        alternatives: [
          { transcript: text, confidence, ...languages(transcript.detectedLanguage), words: words.map(liveWord) },
        ],
        ...searchResults(transcript, facts.request),
      },
      ...speakerNames(facts.request.live, [{ channel, transcript }]),
    },
  );
};

/** Words of an earlier final that have other speakers now. Later than ten seconds after it, none comes. */
export const speakersChanged = (facts: ListenFacts, channel: number, changed: ChangedSpeakers) => ({
  type: 'SpeakersChanged',
  channel_index: [channel, facts.request.channels],
  start: seconds(changed.startMs),
  duration: seconds(changed.endMs - changed.startMs),
  words: alternativeOf(shownWords(changed.transcript, facts.request)).words.map(liveWord),
});

/** A final without speech. */
export const emptyResult = (facts: ListenFacts, span: Span, fromFinalize: boolean) =>
  resultOf(facts, span, {
    is_final: true,
    speech_final: false,
    from_finalize: fromFinalize,
    channel: { alternatives: [{ transcript: '', confidence: 0, words: [] }] },
  });

export const metadataMessage = (
  { requestUuid, request }: ListenFacts,
  audio: { readonly sha256: string; readonly seconds: number },
) => {
  const uuid = modelUuid(request.live.model);
  return {
    type: 'Metadata',
    transaction_key: 'deprecated',
    request_id: requestUuid,
    sha256: audio.sha256,
    created: new Date().toISOString(),
    duration: audio.seconds,
    channels: request.channels,
    models: [uuid],
    model_info: { [uuid]: modelInfo(request.live.model) },
    ...diarizeInfo(request.live, uuid),
    ...(request.tags.length > 0 && { tags: request.tags }),
    ...(Object.keys(request.extra).length > 0 && { extra: request.extra }),
    ...(request.warnings.length > 0 && { warnings: request.warnings }),
  };
};
