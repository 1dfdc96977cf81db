// The handshake of Deepgram's live endpoint: its key and its query parameters.
import type { IncomingHttpHeaders } from 'node:http';
import { KEY_SUBPROTOCOL_PREFIX, SUBPROTOCOL } from '@faircopy/contract';
import type { LiveAudio } from '../../../audio/upload-decoding.ts';
import type { TranscriptionOptions } from '../../../calls/call.ts';
import type { ModelNames } from '../../../calls/model-names.ts';
import { apiKeyOf } from '../../../transport/http/api-key.ts';
import { offeredProtocols } from '../../../transport/websocket/handshake.ts';
import {
  type DeepgramOptions,
  flagOf,
  KEY_SCHEMES,
  numberOf,
  oneOf,
  type Query,
  readDeepgramOptions,
  readRawAudio,
} from '../parameters.ts';

export interface ListenRequest extends Omit<DeepgramOptions, 'transcription'> {
  readonly live: TranscriptionOptions;
  readonly audio: LiveAudio;
  /** Channels recognised separately; 1 when they are mixed. */
  readonly channels: number;
  readonly vadEvents: boolean;
  readonly utteranceEndMs: number | null;
  /** An extension: whether to send a message when words are assigned to another speaker. */
  readonly speakerChanges: boolean;
}

/** Deepgram's own default is shorter than a pause between words. */
const ENDPOINTING_MS_DEFAULT = 600;
const ENDPOINTING_MS_MAX = 10_000;
/** Scheme words of keys. Browsers send them as subprotocols. */
const SCHEMES = ['token', 'bearer'];

const KEY_HINT = 'Send it as "Authorization: Token <API_KEY>", or in browsers as the subprotocols "token" and the key.';

/** The key is in the Authorization header, or in browsers in the second of two subprotocols: scheme and key. */
export const listenKeyOf = (headers: IncomingHttpHeaders): string => {
  const protocols = [...offeredProtocols(headers['sec-websocket-protocol'])];
  const [scheme, key] = protocols;
  // Faircopy's own client sends its key as it does on the contract's stream.
  const own = protocols.find((name) => name.startsWith(KEY_SUBPROTOCOL_PREFIX))?.slice(KEY_SUBPROTOCOL_PREFIX.length);
  const offered = own ?? (scheme !== undefined && SCHEMES.includes(scheme.toLowerCase()) ? key : undefined);
  return apiKeyOf(headers, { schemes: KEY_SCHEMES, found: offered, hint: KEY_HINT });
};

/** Selects the scheme, never the key. */
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
  const { transcription, ...options } = readDeepgramOptions(query, names, 'live');
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
    channels: options.multichannel ? channels : 1,
    vadEvents: flagOf(query, 'vad_events'),
    speakerChanges: flagOf(query, 'speaker_changes'),
    utteranceEndMs: numberOf(query, 'utterance_end_ms', 0, 60_000) ?? null,
  };
};
