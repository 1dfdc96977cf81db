// The handshake of a native stream: its key and its parameters.
import type { IncomingHttpHeaders } from 'node:http';
import {
  type Include,
  isModelId,
  KEY_SUBPROTOCOL_PREFIX,
  MODEL_IDS,
  parseInclude,
  SUBPROTOCOL,
  streamParameters,
} from '@faircopy/contract';
import type { Pcm16Options } from '../../../audio/upload-decoding.ts';
import type { TranscriptionOptions } from '../../../calls/call.ts';
import { profanityFilter, redactionOf } from '../../../calls/redaction-names.ts';
import { readTags } from '../../../calls/request-tags.ts';
import { checkTerms, requestTerm } from '../../../calls/request-vocabulary.ts';
import { speakerOptionsOf } from '../../../calls/speakers/speaker-options.ts';
import { channelNamesOf, refuseRawAndEdits, type SplitChannels } from '../../../calls/speakers/split-channels.ts';
import { invalidRequest } from '../../../lib/fault.ts';
import { languagesOf } from '../../../lib/language-names.ts';
import { apiKeyOf } from '../../../transport/http/api-key.ts';
import { offeredProtocols, type Query, valuesOf } from '../../../transport/websocket/handshake.ts';
import { TURN_ENDPOINTING_MS, turnThresholdsOf } from './turns.ts';

export interface StreamRequest {
  readonly audio: Pcm16Options;
  readonly transcription: TranscriptionOptions;
  readonly include: ReadonlySet<Include>;
  /** Transcribe each channel separately. */
  readonly split?: SplitChannels | undefined;
}

const KEY_HINT = 'Send it as the parameter "token", or as "Authorization: Token <API_KEY>".';

/** The key is in the parameter `token`, in a subprotocol, or in the Authorization header. */
export const streamKeyOf = (query: Query, headers: IncomingHttpHeaders): string => {
  const protocols = offeredProtocols(headers['sec-websocket-protocol']);
  return apiKeyOf(headers, { found: keyInQuery(query) ?? keyInSubprotocol(protocols), hint: KEY_HINT });
};

const keyInQuery = ({ token }: Query): string | undefined => {
  if (Array.isArray(token)) throw invalidRequest('The parameter "token" is given more than once.');
  return typeof token === 'string' && token !== '' ? token : undefined;
};

const keyInSubprotocol = (protocols: ReadonlySet<string>): string | undefined => {
  const carriers = [...protocols].filter((name) => name.startsWith(KEY_SUBPROTOCOL_PREFIX));
  if (carriers.length > 1) throw invalidRequest('More than one subprotocol carries a key.');
  // Browsers require one of the offers to be selected, and the one with the key must not be echoed.
  if (carriers.length === 1 && !protocols.has(SUBPROTOCOL))
    throw invalidRequest(`Offer the subprotocol "${SUBPROTOCOL}" in addition to the one that carries the key.`);
  return carriers[0]?.slice(KEY_SUBPROTOCOL_PREFIX.length);
};

/** Parses the parameters by the contract's schema. Unknown ones are ignored; known ones may be given once. */
export const readStreamRequest = (query: Query): StreamRequest => {
  for (const name of Object.keys(streamParameters.shape)) {
    if (Array.isArray(query[name])) throw invalidRequest(`The parameter "${name}" is given more than once.`);
  }
  const models = MODEL_IDS.join(', ');
  if (query.model === undefined) throw invalidRequest(`The parameter "model" is missing. It must be one of ${models}.`);
  if (!isModelId(query.model)) throw invalidRequest(`The parameter "model" must be one of ${models}.`);
  const parsed = streamParameters.safeParse(query);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalidRequest(`The parameter "${issue?.path[0]?.toString() ?? ''}" is not valid: ${issue?.message ?? ''}.`);
  }
  const { model, sample_rate, channels, language, include: included, refine: refinement } = parsed.data;
  const include = parseInclude(included);
  const { speakers: asks, num_speakers, min_speakers, max_speakers, known_voices } = parsed.data;
  const speakers = speakerOptionsOf({
    ...(asks && { speakers: asks === 'true' }),
    num_speakers,
    min_speakers,
    max_speakers,
    known_voices: known_voices === 'true',
  });
  if (include === null) throw invalidRequest('The parameter "include" contains an unknown name.');
  const turns = turnThresholdsOf(parsed.data);
  const split = splitOf(parsed.data.channel_names, channels, include);
  const vocabulary = valuesOf(query, 'vocabulary').map((term) => requestTerm(term, 'vocabulary'));
  const tags = readTags(valuesOf(query, 'tag'));
  const languages = languagesOf(valuesOf(query, 'languages'));
  const redact = [
    ...redactionOf(valuesOf(query, 'redact')),
    ...profanityFilter(parsed.data.profanity_filter === 'true'),
  ];
  return {
    audio: { sampleRateHz: sample_rate, channels: channels === 2 ? 2 : 1 },
    transcription: {
      model,
      languageHint: language,
      wantWordTimes: include.has('words') || split !== undefined,
      refinement,
      ...(tags.length > 0 && { tags }),
      ...(languages.length > 0 && { languages }),
      redact,
      ...(vocabulary.length > 0 && { vocabulary: checkTerms(vocabulary, 'vocabulary') }),
      // Each channel is a speaker.
      ...(speakers && !split && { speakers }),
      ...(turns && {
        finals: { kind: 'utterances', endpointingMs: TURN_ENDPOINTING_MS, wantInterims: true, turns },
      }),
    },
    include,
    ...(split && { split }),
  };
};

/** Names imply splitting, since `channels` is a number here. */
const splitOf = (
  names: string | undefined,
  channels: number,
  include: ReadonlySet<Include>,
): SplitChannels | undefined => {
  if (names === undefined) return undefined;
  if (channels !== 2) throw invalidRequest('The parameter "channel_names" needs "channels=2".', 'channel_names');
  refuseRawAndEdits(include);
  return { names: channelNamesOf(names) };
};
