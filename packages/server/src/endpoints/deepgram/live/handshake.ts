// The handshake of Deepgram's live endpoint: the key, and what the query asks for.
import type { IncomingHttpHeaders } from 'node:http';
import { KEY_SUBPROTOCOL_PREFIX, SUBPROTOCOL } from '@faircopy/contract';
import type { LiveAudio } from '../../../audio/upload-decoding.ts';
import type { TranscriptionOptions } from '../../../calls/call.ts';
import type { ModelNames } from '../../../calls/model-names.ts';
import { keyInHeader, requireKey } from '../../../calls/presented-key.ts';
import { offeredProtocols } from '../../../transport/websocket/handshake.ts';
import {
  type DeepgramOptions,
  flagOf,
  numberOf,
  oneOf,
  type Query,
  readDeepgramOptions,
  readRawAudio,
} from '../parameters.ts';

export interface ListenRequest extends Omit<DeepgramOptions, 'transcription'> {
  readonly live: TranscriptionOptions;
  readonly audio: LiveAudio;
  /** Channels that are recognised by themselves; 1 when the stream is mixed. */
  readonly lanes: number;
  readonly vadEvents: boolean;
  readonly utteranceEndMs: number | null;
}

/** When the query says nothing. Deepgram's own default is shorter than a pause between words. */
const ENDPOINTING_MS_DEFAULT = 600;
const ENDPOINTING_MS_MAX = 10_000;
/** The scheme words of keys, which in browsers are subprotocols, too. */
const SCHEMES = ['token', 'bearer'];

/** The Authorization header, or in browsers two subprotocols: the scheme, then the key. */
export const listenKey = (headers: IncomingHttpHeaders): string => {
  const protocols = [...offeredProtocols(headers['sec-websocket-protocol'])];
  const [scheme, key] = protocols;
  // Our own client offers its key here as it does at the contract's stream.
  const own = protocols.find((name) => name.startsWith(KEY_SUBPROTOCOL_PREFIX))?.slice(KEY_SUBPROTOCOL_PREFIX.length);
  const offered = own ?? (scheme !== undefined && SCHEMES.includes(scheme.toLowerCase()) ? key : undefined);
  return requireKey(
    offered ?? keyInHeader(headers.authorization, ['Token', 'Bearer']),
    'Send it as "Authorization: Token <API_KEY>", or in browsers as the subprotocols "token" and the key.',
  );
};

/** The scheme is selected, never the key beside it. */
export const selectListenProtocol = (offered: ReadonlySet<string>): string | false => {
  if (offered.has(SUBPROTOCOL)) return SUBPROTOCOL;
  const [first] = offered;
  return first !== undefined && SCHEMES.includes(first.toLowerCase()) ? first : false;
};

const endpointingOf = (query: Query): number | null => {
  const value = oneOf(query, 'endpointing');
  if (value === 'false') return null;
  if (value === undefined || value === 'true') return ENDPOINTING_MS_DEFAULT;
  return numberOf(query, 'endpointing', 0, ENDPOINTING_MS_MAX) ?? ENDPOINTING_MS_DEFAULT;
};

export const readListenRequest = (query: Query, names: ModelNames): ListenRequest => {
  const { transcription, ...options } = readDeepgramOptions(query, names);
  const raw = readRawAudio(query);
  const channels = numberOf(query, 'channels', 1, 8) ?? 1;
  return {
    ...options,
    live: {
      ...transcription,
      finals: {
        kind: 'utterances',
        endpointingMs: endpointingOf(query),
        wantInterims: flagOf(query, 'interim_results'),
      },
    },
    audio: raw ?? { kind: 'container' },
    lanes: options.multichannel ? channels : 1,
    vadEvents: flagOf(query, 'vad_events'),
    utteranceEndMs: numberOf(query, 'utterance_end_ms', 0, 60_000) ?? null,
  };
};
