// Paths, the authorization scheme and the WebSocket subprotocols.

export const PATHS = {
  transcribe: '/v1/transcribe',
  stream: '/v1/transcribe/stream',
  jobs: '/v1/jobs',
  voices: '/v1/voices',
  voiceAudit: '/v1/voices/audit',
  /** Each request's receipt is at a path below this one. */
  receipts: '/v1/receipts',
  usage: '/v1/usage',
  jwks: '/.well-known/jwks.json',
  openAiTranscriptions: '/v1/audio/transcriptions',
  openAiTranslations: '/v1/audio/translations',
  models: '/v1/models',
  openAiRealtime: '/v1/realtime',
  openAiClientSecrets: '/v1/realtime/client_secrets',
  deepgramListen: '/v1/listen',
  deepgramTurns: '/v2/listen',
} as const;

/** The scheme in the Authorization header. */
export const KEY_SCHEME = 'Token';

/** The server selects this subprotocol. A browser sends its key as a second one, with the prefix below. */
export const SUBPROTOCOL = 'faircopy';
export const KEY_SUBPROTOCOL_PREFIX = `${SUBPROTOCOL}.token.`;
