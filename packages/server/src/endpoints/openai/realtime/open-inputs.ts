// The open inputs of a connection: the current one, and earlier ones that wait for their text. Bounds their number.
import { audioListener, type ProtocolContext } from '../../../transport/websocket/stream-protocol.ts';
import { FLOOD } from '../../../transport/websocket/violations.ts';
import type { RealtimeInput } from './input.ts';

type OpenInput = Pick<RealtimeInput, 'cancel' | 'clear' | 'detectsTurns'>;

/** With more open inputs, reading pauses until one of them has its text. */
const FLOWING_MAX = 4;
/** Events that were received before the pause may open a few more. */
const OPEN_MAX = 16;

export class OpenInputs {
  readonly #context: ProtocolContext;
  readonly #open = new Set<OpenInput>();
  /** Inputs with too much queued audio. */
  readonly #full = new Set<OpenInput>();
  #reading: 'flowing' | 'paused' = 'flowing';

  constructor(context: ProtocolContext) {
    this.#context = context;
  }

  /** Whether one more may be opened. If not, the connection fails. */
  mayOpen(): boolean {
    if (this.#open.size < OPEN_MAX) return true;
    this.#context.dispatch({ type: 'failed', failure: FLOOD });
    return false;
  }

  add(input: OpenInput): void {
    this.#open.add(input);
    this.#pauseOrResume();
  }

  /** The listener of an input's audio. */
  listenerOf(input: () => OpenInput) {
    return {
      ...audioListener(this.#context, () => undefined),
      full: () => this.#setFull(input(), true),
      room: () => this.#setFull(input(), false),
    };
  }

  /** Stops an input that is not needed any more. */
  close(input: OpenInput): void {
    input.cancel();
    this.#open.delete(input);
    this.#full.delete(input);
    this.#pauseOrResume();
  }

  /** Discards speech that turn detection has not committed, also from before a change of the configuration. */
  clearSpeech(): void {
    for (const input of this.#open) if (input.detectsTurns) input.clear();
  }

  cancelAll(): void {
    for (const input of this.#open) input.cancel();
  }

  #setFull(input: OpenInput, isFull: boolean): void {
    if (isFull) this.#full.add(input);
    else this.#full.delete(input);
    this.#pauseOrResume();
  }

  #pauseOrResume(): void {
    const reading = this.#full.size > 0 || this.#open.size > FLOWING_MAX ? 'paused' : 'flowing';
    if (reading === this.#reading) return;
    this.#reading = reading;
    this.#context.dispatch({ type: reading === 'paused' ? 'queue_full' : 'queue_ready' });
  }
}
