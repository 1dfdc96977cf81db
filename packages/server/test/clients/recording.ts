// A recorded session of a client: what it sent and what the server answered, without parts that differ between runs.
import { joined, quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';

/** Where recordings are: beside the sources, not the compiled files. */
export const RECORDINGS = new URL('../../../test/clients/recordings/', import.meta.url);

export type Message = { readonly type: string; readonly [field: string]: unknown };

export type Step =
  /** Binary frames of the next bytes of the audio. */
  | { readonly audio: number; readonly times: number }
  /** Bytes of the audio that the client does not send: some leave out long silence. */
  | { readonly skipped: number }
  /** A text message. Audio in it is given by the number of its bytes. */
  | { readonly send: Message; readonly times: number }
  | { readonly expect: Message }
  /** Which side closes the connection, the server with a code. */
  | { readonly close: number | 'client' };

export interface Recording {
  readonly client: string;
  /** Path and query of the WebSocket; `wyoming` for that protocol. */
  readonly path: string;
  readonly rateHz: number;
  readonly steps: readonly Step[];
}

export const FIRST_WORDS = story(4);
export const SECOND_WORDS = story(5, 4);
/** Two phrases. Clients send the second one when they have the text of the first. */
const PHRASES = [
  joined(quiet(0.3), spoken(FIRST_WORDS), quiet(1.2)),
  joined(spoken(SECOND_WORDS), quiet(1.2)),
] as const;

const resampled = (samples: Float32Array, rateHz: number): Float32Array => {
  const step = 16_000 / rateHz;
  return Float32Array.from({ length: Math.floor(samples.length / step) }, (_, at) => {
    const [from, share] = [Math.floor(at * step), (at * step) % 1];
    return samples[from]! * (1 - share) + (samples[from + 1] ?? 0) * share;
  });
};

export const phrasesAt = (rateHz: number): readonly [Buffer, Buffer] => {
  const [first, second] = PHRASES.map((phrase) => Buffer.from(pcm16Bytes(resampled(phrase, rateHz))));
  return [first!, second!];
};

const IDS = /^(id|.*_id|model_uuid|transaction_key)$/;
/** Clocks and counters. */
const DROPPED = new Set(['event_id', 'created', 'expires_at', 'sequence_id']);

/** Interims depend on the speed of the recogniser, so they are not part of a recording. */
const isInterim = ({ type, is_final, event }: Message): boolean =>
  (type === 'Results' && is_final === false) || (type === 'TurnInfo' && event === 'Update');

/** Converts messages to the form of recordings: ids numbered in order, deltas joined, no interims. */
export class ShownMessages {
  readonly #ids = new Map<string, string>();
  readonly #deltas = new Map<unknown, string>();

  /** Null for a message that is left out. */
  show(message: Message): Message | null {
    if (isInterim(message)) return null;
    const { type, item_id: item } = message;
    if (type.endsWith('transcription.delta')) {
      this.#deltas.set(item, (this.#deltas.get(item) ?? '') + String(message.delta));
      return null;
    }
    const shown = this.#cleaned(message) as Message;
    if (type.endsWith('transcription.completed')) return { ...shown, joined_deltas: this.#deltas.get(item) ?? '' };
    // How much of a turn is known at its start depends on the recogniser.
    if (shown.event !== 'StartOfTurn') return shown;
    return { type, event: shown.event, turn_index: shown.turn_index, audio_window_start: shown.audio_window_start };
  }

  #cleaned(value: unknown, name = ''): unknown {
    if (typeof value === 'string' && IDS.test(name)) return this.#idOf(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((each) => this.#cleaned(each));
    const kept = Object.entries(value).filter(([field]) => !DROPPED.has(field));
    return Object.fromEntries(kept.map(([field, each]) => [field, this.#cleaned(each, field)]));
  }

  #idOf(id: string): string {
    if (!this.#ids.has(id)) this.#ids.set(id, `id ${this.#ids.size + 1}`);
    return this.#ids.get(id)!;
  }
}

/** Replaces the audio of a message by its number of bytes. */
export const withoutAudio = (message: Message): Message =>
  message.type === 'input_audio_buffer.append'
    ? { ...message, audio: Buffer.from(String(message.audio), 'base64').length }
    : message;
