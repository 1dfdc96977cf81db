// The fixed names of the interface on the wire: paths, the scheme of the key, the subprotocols of a stream.

export const PATHS = {
  transcribe: '/v1/transcribe',
  stream: '/v1/transcribe/stream',
  jobs: '/v1/jobs',
  /** Signed receipts, one below it for each request, and the keys by which to check them. */
  receipts: '/v1/receipts',
  jwks: '/.well-known/jwks.json',
  /** OpenAI's addresses, in OpenAI's shapes. */
  openAiTranscriptions: '/v1/audio/transcriptions',
  openAiTranslations: '/v1/audio/translations',
  models: '/v1/models',
  /** OpenAI's realtime transcription. */
  openAiRealtime: '/v1/realtime',
  openAiClientSecrets: '/v1/realtime/client_secrets',
  /** Deepgram's address, in Deepgram's shapes. */
  deepgramListen: '/v1/listen',
} as const;

/** The scheme word before the key in the Authorization header. */
export const KEY_SCHEME = 'Token';

/** The subprotocol that the server selects, and the prefix under which a browser may offer its key beside it. */
export const SUBPROTOCOL = 'faircopy';
export const KEY_SUBPROTOCOL_PREFIX = `${SUBPROTOCOL}.token.`;
