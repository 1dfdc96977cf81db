// Cuts the packets of a track to what is to be played: at the end that an edit gives, and where the last packet ends early.
import { type Packet, packet } from '../../track.ts';
import type { Mp4Track } from './tracks.ts';

export class PacketTrim {
  readonly #track: Mp4Track;
  /** The last packet is known as such only when no other comes. */
  #waiting: { readonly data: Uint8Array; readonly frames: number; readonly ticks: number | undefined } | undefined;
  #frames = 0;

  constructor(track: Mp4Track) {
    this.#track = track;
  }

  /** Whether nothing more is to be played. */
  get isOver(): boolean {
    return this.#frames >= this.#track.endFrame;
  }

  /** Takes a packet and gives the one before. Ticks: how long the index says that it lasts, where it does. */
  *push(data: Uint8Array, frames: number, ticks: number | undefined): Generator<Packet, void, void> {
    yield* this.#give(0);
    this.#waiting = { data, frames, ticks };
  }

  /** An encoder fills its last packet up, and the index tells how much of it counts. */
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
