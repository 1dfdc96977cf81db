// The messages of Deepgram's live endpoint: parses the client's and renders the server's.
import type { ChangedSpeakers, Final, Interim } from '../../../calls/transcript.ts';
import { secondsOf } from '../../../lib/rounding.ts';
import { alternativeOf, deepgramWord, liveWord, meanConfidence, searchResults } from '../alternatives.ts';
import { diarizeInfo, metadataOf, modelInfo, modelUuid, speakerNames } from '../model-info.ts';
import { deepgramMarks } from '../redaction.ts';
import { fieldsIn } from '../text-message.ts';
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

/** Returns the message, or a sentence that says what is wrong with it. */
export const readListenMessage = (text: Buffer): ListenMessage | string => {
  const fields = fieldsIn(text, TEXT_BYTES_MAX);
  if (typeof fields === 'string') return fields;
  const { type, channel } = fields;
  if (type === 'KeepAlive' || type === 'CloseStream') return { type };
  if (type === 'Finalize') return { type, ...(Number.isInteger(channel) && { channel: channel as number }) };
  return { type: 'unknown' };
};

/** Facts that every result of a connection repeats. */
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
  start: secondsOf(startMs),
  duration: secondsOf(endMs - startMs),
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

/** `isOver`: no speech has started since. */
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

/** Words of an earlier final whose speakers have changed. Sent at most ten seconds after that final. */
export const speakersChanged = (facts: ListenFacts, channel: number, changed: ChangedSpeakers) => ({
  type: 'SpeakersChanged',
  channel_index: [channel, facts.request.channels],
  start: secondsOf(changed.startMs),
  duration: secondsOf(changed.endMs - changed.startMs),
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
  audio: { readonly sha256: string; readonly durationSeconds: number },
) => ({
  type: 'Metadata',
  ...metadataOf({ requestUuid, channels: request.channels, ...audio }, request.live, request),
});
