// The handshake of a native stream: the key and the parameters, or the fault to answer with.
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
import { keyInHeader, requireKey } from '../../../calls/presented-key.ts';
import { Fault } from '../../../lib/fault.ts';
import { offeredProtocols, type Query } from '../../../transport/websocket/handshake.ts';

export interface StreamRequest {
  readonly audio: Pcm16Options;
  readonly transcription: TranscriptionOptions;
  readonly include: ReadonlySet<Include>;
}

const invalid = (message: string): Fault => new Fault('INVALID_REQUEST', { message });

/** The key: the parameter `token`, the subprotocol that carries it, or the Authorization header. */
export const presentedKey = (query: Query, headers: IncomingHttpHeaders): string => {
  const protocols = offeredProtocols(headers['sec-websocket-protocol']);
  const presented = keyInQuery(query) ?? keyInSubprotocol(protocols) ?? keyInHeader(headers.authorization);
  return requireKey(presented, 'Send it as the parameter "token", or as "Authorization: Token <API_KEY>".');
};

const keyInQuery = ({ token }: Query): string | undefined => {
  if (Array.isArray(token)) throw invalid('The parameter "token" is given more than once.');
  return typeof token === 'string' && token !== '' ? token : undefined;
};

const keyInSubprotocol = (protocols: ReadonlySet<string>): string | undefined => {
  const carriers = [...protocols].filter((name) => name.startsWith(KEY_SUBPROTOCOL_PREFIX));
  if (carriers.length > 1) throw invalid('More than one subprotocol carries a key.');
  // A browser breaks off when none of its offers is selected, and the one with the key must not be repeated.
  if (carriers.length === 1 && !protocols.has(SUBPROTOCOL))
    throw invalid(`Offer the subprotocol "${SUBPROTOCOL}" beside the one that carries the key.`);
  return carriers[0]?.slice(KEY_SUBPROTOCOL_PREFIX.length);
};

/** The parameters by the contract's schema. Unknown ones are ignored; known ones may stand once. */
export const readStreamRequest = (query: Query): StreamRequest => {
  for (const name of Object.keys(streamParameters.shape)) {
    if (Array.isArray(query[name])) throw invalid(`The parameter "${name}" is given more than once.`);
  }
  const models = MODEL_IDS.join(', ');
  if (query.model === undefined) throw invalid(`The parameter "model" is missing. It is one of ${models}.`);
  if (!isModelId(query.model)) throw invalid(`The parameter "model" must be one of ${models}.`);
  const parsed = streamParameters.safeParse(query);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(`The parameter "${issue?.path[0]?.toString() ?? ''}" is not valid: ${issue?.message ?? ''}.`);
  }
  const { model, sample_rate, channels, language, include: included, refine: refinement } = parsed.data;
  const include = parseInclude(included);
  if (include === null) throw invalid('The parameter "include" names something unknown.');
  return {
    audio: { sampleRateHz: sample_rate, channels: channels === 2 ? 2 : 1 },
    transcription: { model, languageHint: language, wantWordTimes: include.has('words'), refinement },
    include,
  };
};
