// The AsyncAPI document of the stream, generated from the contract's schemas.
import {
  CLOSE_CODES,
  componentSchemas,
  type Json,
  KEY_SUBPROTOCOL_PREFIX,
  LIMITS,
  PATHS,
  REDACTION_NAMES,
  schemaReference as refTo,
  registeredSchemas,
  SUBPROTOCOL,
  TAG_CHARACTERS_MAX,
  TAGS_MAX,
  TERM_LIMITS,
} from '@faircopy/contract';

const MESSAGES = ['KeepAlive', 'CloseStream', 'ResultMessage', 'ErrorMessage', 'TurnMessage'] as const;
const CLOSES: Readonly<Record<keyof typeof CLOSE_CODES, string>> = {
  done: 'after the `result`',
  badMessage: 'after an `error`: a text message that is not JSON or has an unknown type',
  policy:
    'no audio in time, idle for too long (the reason says which), or after an `error`: too long, a flood, key revoked',
  frameTooBig: 'after an `error`: a frame or text message is too large',
  internal: 'after an `error`: a fault of the server, or no answer in time',
  restart: 'after an `error`: the server is restarting; connect again',
};

const DESCRIPTION = [
  'Send raw pcm16 audio in binary frames. After `close_stream` the server sends one `result` and closes.',
  `The first frame must arrive within ${LIMITS.firstFrameTimeoutMs / 1000} s, and audio or \`keep_alive\` at least every ` +
    `${LIMITS.idleTimeoutMs / 1000} s after it. A frame may have at most ${LIMITS.streamFrameBytesMax} bytes.`,
  'A refused handshake gets an HTTP response (400, 401, 429, 503) with the error object.',
  `Instead of the parameter \`token\`, a browser may offer the subprotocols \`${SUBPROTOCOL}\` and ` +
    `\`${KEY_SUBPROTOCOL_PREFIX}<API_KEY>\`; the server selects the first. Other clients may send the header ` +
    '`Authorization: Token <API_KEY>`.',
  ['Close codes:', ...Object.entries(CLOSES).map(([name, when]) => `- ${closeCode(name)} ${when}`)].join('\n'),
].join('\n\n');

function closeCode(name: string): number {
  return CLOSE_CODES[name as keyof typeof CLOSE_CODES];
}

const querySchema = (): Json => {
  const { properties } = registeredSchemas('output').StreamParameters as { properties: Record<string, Json> };
  const describe = (name: string, more: Json) => ({ [name]: { ...properties[name], ...more } });
  return {
    type: 'object',
    required: ['token', 'model'],
    properties: {
      token: { type: 'string', description: 'The API key.' },
      ...properties,
      ...describe('sample_rate', { default: LIMITS.sampleRateHzDefault, description: 'Hz.' }),
      ...describe('channels', { default: LIMITS.channelsDefault, description: 'Stereo samples are interleaved.' }),
      ...describe('language', { description: 'ISO 639-1 hint; detected when omitted or unknown.' }),
      ...describe('include', { description: 'Comma-separated: segments, words, raw, edits, terms. An extension.' }),
      ...describe('refine', { description: 'How much is refined. An extension.' }),
      ...describe('profanity_filter', { description: 'Masks profanity as ****. An extension.' }),
      ...describe('channel_names', {
        description:
          'With two channels: transcribes each separately under these names, such as agent,customer. An extension.',
      }),
      ...describe('turns', { description: 'Sends `turn` messages. An extension.' }),
      languages: {
        type: 'string',
        examples: ['de,en'],
        description: 'The languages that may be spoken; detection chooses among them. An extension.',
      },
      redact: {
        type: 'string',
        examples: ['pci,phone'],
        description: `Personal data to hide: ${REDACTION_NAMES.join(', ')}. An extension.`,
      },
      tag: {
        type: 'array',
        items: { type: 'string', maxLength: TAG_CHARACTERS_MAX },
        maxItems: TAGS_MAX,
        description: 'Tags of the usage row; one parameter per tag. An extension.',
      },
      vocabulary: {
        type: 'array',
        items: { type: 'string', maxLength: TERM_LIMITS.charactersMax },
        description: 'Terms that are likely to be said; one parameter per term. An extension.',
      },
    },
  };
};

const message = (title: string, summary: string, schema: (typeof MESSAGES)[number]) => ({
  title,
  summary,
  contentType: 'application/json',
  payload: { $ref: refTo(schema) },
});
const toMessage = (name: string) => ({ $ref: `#/channels/stream/messages/${name}` });

/** Without a public URL, clients use the host that served the document. */
const serversAt = (publicUrl: string | undefined) => {
  if (publicUrl === undefined) return {};
  const { protocol, host, pathname } = new URL(publicUrl);
  const path = pathname === '/' ? {} : { pathname };
  return { servers: { this: { host, protocol: protocol === 'https:' ? 'wss' : 'ws', ...path } } };
};

export const asyncApiDocument = (publicUrl?: string) => ({
  asyncapi: '3.0.0',
  ...serversAt(publicUrl),
  info: { title: 'Faircopy streaming', version: '1.0.0', description: DESCRIPTION },
  defaultContentType: 'application/json',
  channels: {
    stream: {
      address: PATHS.stream,
      messages: {
        audio: {
          title: 'audio',
          summary: 'A binary frame of little-endian 16-bit PCM, in the order it was recorded.',
          contentType: 'application/octet-stream',
          payload: { type: 'string', format: 'binary', maxLength: LIMITS.streamFrameBytesMax },
        },
        keepAlive: message('keep_alive', 'Keeps a silent stream open.', 'KeepAlive'),
        closeStream: message('close_stream', 'No more audio: asks for the result.', 'CloseStream'),
        result: message('result', 'The transcript; once, after close_stream. The server closes.', 'ResultMessage'),
        turn: message('turn', 'A turn of the speaker, on streams with turns=true.', 'TurnMessage'),
        error: message('error', 'What went wrong; once, instead of a result. The server closes.', 'ErrorMessage'),
      },
      bindings: { ws: { method: 'GET', query: querySchema(), bindingVersion: '0.1.0' } },
    },
  },
  operations: {
    receiveAudio: {
      action: 'receive',
      channel: { $ref: '#/channels/stream' },
      messages: ['audio', 'keepAlive', 'closeStream'].map(toMessage),
    },
    sendResult: {
      action: 'send',
      channel: { $ref: '#/channels/stream' },
      messages: ['result', 'error', 'turn'].map(toMessage),
    },
  },
  components: { schemas: componentSchemas([...MESSAGES, 'ModelId'], 'input') },
});
