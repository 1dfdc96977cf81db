// The handshake of a stream, before the upgrade: the key and the parameters, or the fault to answer with.
import type { IncomingHttpHeaders } from 'node:http';
import { type Include, isModelId, MODEL_IDS, parseInclude, streamParameters } from '@faircopy/contract';
import type { Pcm16Options } from '../audio/decode.ts';
import { Fault } from '../platform/fault.ts';

export const STREAM_PATH = '/v1/transcribe/stream';

/** The subprotocol the server selects, and the prefix under which a browser may offer its key beside it. */
export const SUBPROTOCOL = 'faircopy';
export const TOKEN_SUBPROTOCOL_PREFIX = 'faircopy.token.';

export interface StreamRequest {
  readonly model: (typeof MODEL_IDS)[number];
  readonly audio: Pcm16Options;
  readonly languageHint: string | undefined;
  readonly include: ReadonlySet<Include>;
}

export type Query = Readonly<Record<string, unknown>>;

const invalid = (message: string): Fault => new Fault('INVALID_REQUEST', { message });

/** Checks what the WebSocket protocol itself asks for, so that even then the answer is the JSON error object. */
export const checkUpgradeHeaders = (headers: IncomingHttpHeaders): void => {
  if (headers['sec-websocket-version'] !== '13') throw invalid('Only WebSocket version 13 is spoken here.');
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '')) {
    throw invalid('The header Sec-WebSocket-Key is missing or not valid.');
  }
};

/** Subprotocols the client offers; a malformed list is refused. */
export const offeredProtocols = (header: string | undefined): ReadonlySet<string> => {
  if (header === undefined) return new Set();
  const names = header.split(',').map((name) => name.trim());
  const wellFormed = names.every((name) => /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name));
  if (!wellFormed || new Set(names).size !== names.length) {
    throw invalid('The header Sec-WebSocket-Protocol is not valid.');
  }
  return new Set(names);
};

/** The presented key: the parameter `token`, or the subprotocol that carries it. Empty when there is none. */
export const presentedKey = (query: Query, protocols: ReadonlySet<string>): string => {
  const { token } = query;
  if (Array.isArray(token)) throw invalid('The parameter "token" is given more than once.');
  if (typeof token === 'string' && token !== '') return token;
  const carriers = [...protocols].filter((name) => name.startsWith(TOKEN_SUBPROTOCOL_PREFIX));
  if (carriers.length > 1) throw invalid('More than one subprotocol carries a key.');
  const [carrier] = carriers;
  if (carrier === undefined) return '';
  if (!protocols.has(SUBPROTOCOL)) {
    // A browser breaks off when none of its offers is selected, and the one with the key must not be repeated.
    throw invalid(`Offer the subprotocol "${SUBPROTOCOL}" beside the one that carries the key.`);
  }
  return carrier.slice(TOKEN_SUBPROTOCOL_PREFIX.length);
};

/** The key in the Authorization header, for those who ask in plain HTTP why a handshake was refused. */
export const keyInHeader = (header: string | undefined): string =>
  /^token ([\x21-\x7e]+)$/i.exec(header ?? '')?.[1] ?? '';

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
  const { model, sample_rate, channels, language, include: included } = parsed.data;
  const include = parseInclude(included);
  if (include === null) throw invalid('The parameter "include" names something unknown.');
  return {
    model,
    audio: { sampleRateHz: sample_rate, channels: channels === 2 ? 2 : 1 },
    languageHint: language,
    include,
  };
};

/** Open streams as rate-limit headers: the plain pair that clients read today, and the structured pair of the draft. */
export const rateLimitHeaders = (limit: number, remaining: number): Readonly<Record<string, string>> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Policy': `"streams";q=${limit}`,
  RateLimit: `"streams";r=${remaining}`,
});
