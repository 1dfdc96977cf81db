// Trims the packets of a track: at the end of its edit, and where the last packet ends early.
import { type Packet, packet } from '../../track.ts';
import type { Mp4Track } from './tracks.ts';

export class PacketTrim {
  readonly #track: Mp4Track;
  /** Held back until the next packet comes, because the last one is treated differently. */
  #waiting: { readonly data: Uint8Array; readonly frames: number; readonly ticks: number | undefined } | undefined;
  #frames = 0;

  constructor(track: Mp4Track) {
    this.#track = track;
  }

  get isOver(): boolean {
    return this.#frames >= this.#track.endFrame;
  }

  /** Takes a packet and yields the previous one. `ticks`: its duration according to the index, if known. */
  *push(data: Uint8Array, frames: number, ticks: number | undefined): Generator<Packet, void, void> {
    yield* this.#give(0);
    this.#waiting = { data, frames, ticks };
  }

  /** Encoders pad the last packet; the index has its actual duration. */
  *finish(): Generator<Packet, void, void> {
    const { frames = 0, ticks = 0 } = this.#waiting ?? {};
    const counted = Math.round(ticks * this.#track.framesPerTick);
    yield* this.#give(counted > 0 && counted < frames ? frames - counted : 0);
  }

  *#give(padding: number): Generator<Packet, void, void> {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (!waiting || this.isOver) return;
    this.#frames += waiting.frames;
    const discard = Math.max(padding, this.#frames - this.#track.endFrame);
    yield packet(waiting.data, waiting.frames, discard);
  }
}
