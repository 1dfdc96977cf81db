// The messages of Deepgram's live endpoint: reading the client's, writing ours.

import type { Final, Interim } from '../../../calls/transcript.ts';
import { alternativeOf, deepgramWord, meanConfidence, seconds, shownWords } from '../alternatives.ts';
import { modelInfo, modelUuid } from '../model-info.ts';
import type { ListenRequest } from './handshake.ts';

export type ListenMessage =
  | { readonly type: 'KeepAlive' }
  | { readonly type: 'Finalize'; readonly channel?: number }
  | { readonly type: 'CloseStream' };

/** The messages that the protocol performs itself. */
export type ListenCommand = Extract<ListenMessage, { type: 'Finalize' }>;

const TEXT_BYTES_MAX = 4 * 1024;

/** The message, or what is wrong with it in a sentence. */
export const readListenMessage = (text: Buffer): ListenMessage | string => {
  if (text.length > TEXT_BYTES_MAX) return `A text message may have ${TEXT_BYTES_MAX} bytes at most.`;
  let value: unknown;
  try {
    value = JSON.parse(text.toString('utf8'));
  } catch {
    return 'The text message is not JSON.';
  }
  const { type, channel } = (value ?? {}) as { type?: unknown; channel?: unknown };
  if (type === 'KeepAlive' || type === 'CloseStream') return { type };
  if (type === 'Finalize') return { type, ...(Number.isInteger(channel) && { channel: channel as number }) };
  return 'The type of the message is not known: it is KeepAlive, Finalize or CloseStream.';
};

/** What every result of one connection says of it. */
export interface ListenFacts {
  readonly requestUuid: string;
  readonly request: ListenRequest;
}

export interface Place {
  readonly channel: number;
  readonly startMs: number;
  readonly endMs: number;
}

const resultOf = ({ requestUuid, request }: ListenFacts, { channel, startMs, endMs }: Place, rest: object) => ({
  type: 'Results',
  channel_index: [channel, request.lanes],
  start: seconds(startMs),
  duration: seconds(endMs - startMs),
  ...rest,
  metadata: {
    request_id: requestUuid,
    model_info: modelInfo(request.live.model),
    model_uuid: modelUuid(request.live.model),
  },
});

const languages = (language: string | null) => (language === null ? {} : { languages: [language] });

export const interimResult = (facts: ListenFacts, channel: number, interim: Interim) => {
  const { startMs, endMs, words, language } = interim;
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

export const finalResult = (facts: ListenFacts, channel: number, final: Final) => {
  const { startMs, endMs, transcript, endedBy } = final;
  const { transcript: text, confidence, words } = alternativeOf(shownWords(transcript, facts.request));
  return resultOf(
    facts,
    { channel, startMs, endMs },
    {
      is_final: true,
      speech_final: endedBy === 'endpoint',
      from_finalize: endedBy === 'flush',
      channel: {
        alternatives: [{ transcript: text, confidence, ...languages(transcript.detectedLanguage), words }],
      },
    },
  );
};

/** A final for a stretch in which nothing was said. */
export const emptyResult = (facts: ListenFacts, place: Place, fromFinalize: boolean) =>
  resultOf(facts, place, {
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
    channels: request.lanes,
    models: [uuid],
    model_info: { [uuid]: modelInfo(request.live.model) },
    ...(request.tags.length > 0 && { tags: request.tags }),
    ...(Object.keys(request.extra).length > 0 && { extra: request.extra }),
  };
};
