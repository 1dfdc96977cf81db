// Parses the events that a client may send in a realtime transcription session.

/** Why an event was rejected, in the terms of OpenAI's `error` event. */
export interface EventProblem {
  readonly message: string;
  readonly code: string;
  readonly param: string | null;
  readonly eventId: string | null;
}

export type RealtimeCommand =
  | { readonly type: 'update'; readonly session: unknown; readonly isFlat: boolean; readonly eventId: string | null }
  | { readonly type: 'commit'; readonly eventId: string | null }
  | { readonly type: 'clear' }
  | { readonly type: 'reject'; readonly problem: EventProblem };

const CONTROL_BYTES_MAX = 256 * 1024;
/** OpenAI's limit. A longer id is not echoed. */
const EVENT_ID_CHARACTERS_MAX = 512;

export const readClientEvent = (
  data: Buffer,
  isBinary: boolean,
): RealtimeCommand | { readonly type: 'append'; readonly audio: Buffer } => {
  const fields = isBinary ? null : objectIn(data);
  const eventId = eventIdOf(fields?.event_id);
  const reject = (code: string, message: string, param: string | null = null): RealtimeCommand => ({
    type: 'reject',
    problem: { message, code, param, eventId },
  });
  if (fields === null)
    return reject('invalid_json', isBinary ? 'Send events as text, with audio in base64.' : 'The event is not JSON.');
  if (fields.type === 'input_audio_buffer.append') {
    const audio = typeof fields.audio === 'string' ? Buffer.from(fields.audio, 'base64') : null;
    return audio && (audio.length > 0 || fields.audio === '')
      ? { type: 'append', audio }
      : reject('invalid_value', '"audio" must be audio in base64.', 'audio');
  }
  if (data.length > CONTROL_BYTES_MAX) return reject('event_too_large', 'The event is too large.');
  switch (fields.type) {
    case 'session.update':
    case 'transcription_session.update':
      return { type: 'update', session: fields.session, isFlat: fields.type !== 'session.update', eventId };
    case 'input_audio_buffer.commit':
      return { type: 'commit', eventId };
    case 'input_audio_buffer.clear':
      return { type: 'clear' };
    default:
      return reject('unknown_event', 'The type of the event is not known in transcription sessions.', 'type');
  }
};

const eventIdOf = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= EVENT_ID_CHARACTERS_MAX ? value : null;

const objectIn = (data: Buffer): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(data.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
};
