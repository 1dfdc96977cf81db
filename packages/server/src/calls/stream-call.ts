// A call with live audio: its slot, its way of audio, and the row that is written at its end.

import type { ModelId } from '@faircopy/contract';
import type { AccessChange } from '../accounts/principal.ts';
import type { LiveDecoder, UploadDecoder } from '../audio/upload-decoding.ts';
import type { Fault } from '../lib/fault.ts';
import type { Log } from '../observability/log.ts';
import type { LiveListener } from '../transcription/live/live-session.ts';
import type { StreamSlot } from '../usage/stream-slots/stream-slots.ts';
import { AudioPipe, type AudioPipeListener } from './audio-pipe.ts';
import type { Call, CallOutcome, LiveOptions, TranscriptionOptions } from './call.ts';
import { type Lane, LivePipe, type LivePipeListener } from './live-pipe.ts';
import { accessLost } from './refusals.ts';

export interface HeldSlot {
  readonly slot: StreamSlot;
  /** How many streams the account may have open, and how many more it could open. */
  readonly limit: number;
  readonly remaining: number;
  /** Tells of changes to the caller's key. Returns what ends that. */
  readonly watchAccess: (onChange: (change: AccessChange) => void) => () => void;
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

  get limit(): number {
    return this.#held.limit;
  }

  get remaining(): number {
    return this.#held.remaining;
  }

  /** Calls back when the key no longer allows this stream: it was revoked, or the account's limit lowered below it. */
  onAccessLost(end: (fault: Fault) => void): void {
    const { slot, watchAccess } = this.#held;
    this.#endWatch = watchAccess((change) => {
      if (change.kind === 'revoked') return end(accessLost.revoked());
      // When the database does not answer, the next change decides.
      slot.isBeyond(change.maxStreams).then(
        (isBeyond) => isBeyond && end(accessLost.limitLowered(change.maxStreams)),
        () => {},
      );
    });
  }

  /** Opened at the first audio, so that a silent socket costs neither a decoder nor a session. */
  openPipe(options: TranscriptionOptions, openDecoder: () => UploadDecoder, listener: AudioPipeListener): AudioPipe {
    return new AudioPipe(this.#call.openSession(options), openDecoder(), listener);
  }

  /** A pipe that tells of the stream while it goes on: a session for each decoder, which are those of the channels. */
  openLivePipe(
    options: LiveOptions,
    channels: readonly { readonly decoder: LiveDecoder; readonly listener: LiveListener }[],
    listener: LivePipeListener,
  ): LivePipe {
    const lanes: Lane[] = [];
    try {
      for (const { decoder, listener: told } of channels)
        lanes.push({ decoder, session: this.#call.openLiveSession(options, told) });
    } catch (thrown) {
      for (const { session } of lanes) session.cancel();
      for (const { decoder } of channels) decoder.abort();
      throw thrown;
    }
    return new LivePipe(lanes, listener);
  }

  /** Another model than the stream was opened for. */
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

  /** Gives the slot back. Never rejects. */
  async release(): Promise<void> {
    this.#endWatch();
    this.#onReleased(this);
    await this.#held.slot
      .release()
      .catch((err) => this.#log.warn({ err, requestId: this.requestId }, 'a stream slot was not given back'));
  }
}
