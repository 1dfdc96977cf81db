// A call with live audio: its slot, its sessions, and the usage row that is written at its end.

import type { ModelId, Term } from '@faircopy/contract';
import type { AccessChange } from '../../accounts/principal.ts';
import type { LiveDecoder } from '../../audio/upload-decoding.ts';
import type { Fault } from '../../lib/fault.ts';
import type { Log } from '../../observability/log.ts';
import type { SessionListener, SessionSummary } from '../../transcription/transcriber.ts';
import type { StreamSlot } from '../../usage/stream-slots/stream-slots.ts';
import type { Call, CallOutcome, TranscriptionOptions } from '../call.ts';
import { accessLost } from '../refusals.ts';
import { StreamAudio, type StreamAudioListener, type StreamChannel } from './stream-audio.ts';

export interface HeldSlot {
  readonly slot: StreamSlot;
  /** The account's limit of open streams, and how many more it may open. */
  readonly limit: number;
  readonly remaining: number;
  /** Watches the caller's key for changes. Returns the function that stops watching. */
  readonly watchAccess: (onChange: (change: AccessChange) => void) => () => void;
}

export interface ChannelParts {
  readonly decoder: LiveDecoder;
  readonly onEvent: SessionListener;
}

export class StreamCall {
  readonly #call: Call;
  readonly #held: HeldSlot;
  readonly #log: Log;
  readonly #onReleased: (call: StreamCall) => void;
  #endWatch: () => void = () => {};

  constructor(call: Call, held: HeldSlot, log: Log, onReleased: (call: StreamCall) => void) {
    this.#call = call;
    this.#held = held;
    this.#log = log;
    this.#onReleased = onReleased;
  }

  get requestId(): string {
    return this.#call.requestId;
  }

  get accountId(): string {
    return this.#call.principal.accountId;
  }

  get limit(): number {
    return this.#held.limit;
  }

  get remaining(): number {
    return this.#held.remaining;
  }

  /** Calls `end` when the key is revoked, or the account's limit is lowered below this stream. */
  onAccessLost(end: (fault: Fault) => void): void {
    const { slot, watchAccess } = this.#held;
    this.#endWatch = watchAccess((change) => {
      if (change.kind === 'revoked') return end(accessLost.revoked());
      // If the database does not answer, the next change decides.
      slot.exceeds(change.maxStreams).then(
        (exceeds) => exceeds && end(accessLost.limitLowered(change.maxStreams)),
        () => {},
      );
    });
  }

  /**
   * Opens a session for each channel. Protocols call it at the first audio, so that a silent socket costs neither a
   * decoder nor a session.
   */
  openAudio(
    options: TranscriptionOptions,
    channels: readonly ChannelParts[],
    listener: StreamAudioListener,
  ): StreamAudio {
    const opened: StreamChannel[] = [];
    try {
      for (const { decoder, onEvent } of channels) {
        let summary: SessionSummary | undefined;
        const session = this.#call.openSession(options, (event) => {
          if (event.type === 'done') summary = event.summary;
          onEvent(event);
        });
        opened.push({ decoder, session, summary: () => summary });
      }
    } catch (thrown) {
      for (const { session } of opened) session.cancel();
      for (const { decoder } of channels) decoder.abort();
      throw thrown;
    }
    return new StreamAudio(opened, listener);
  }

  /** Changes the stream's own terms for speech that is not recognised yet. */
  setVocabulary(audio: StreamAudio, own: readonly Term[]): void {
    audio.setVocabulary(this.#call.vocabularyWith(own));
  }

  /** Changes the model of the usage row. */
  choose(model: ModelId): void {
    this.#call.choose(model);
  }

  markReceived(): void {
    this.#call.markReceived();
  }

  record(outcome: CallOutcome): Promise<void> {
    return this.#call.record(outcome);
  }

  logFailure(fault: Fault): void {
    this.#call.logFailure(fault);
  }

  /** Releases the slot. Never rejects. */
  async release(): Promise<void> {
    this.#endWatch();
    this.#onReleased(this);
    await this.#held.slot
      .release()
      .catch((err) => this.#log.warn({ err, requestId: this.requestId }, 'a stream slot was not released'));
  }
}
