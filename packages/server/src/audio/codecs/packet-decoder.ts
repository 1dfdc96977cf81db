// What every codec offers: packets in, one array of samples per channel out.

export interface PacketDecoder {
  /** Rate of what comes out; not always the track's own. */
  readonly outputRateHz: number;
  /** At a lower rate than the track's: how many frames after the start of a packet its first sample stands. */
  readonly phaseFrames?: number;
  /** Throws when the packet cannot be decoded; the next one may work again. */
  decode(data: Uint8Array): Float32Array[];
  free(): void;
}

/** Nothing above is left after resampling to 16 kHz: decoders may leave it out. */
export const WANTED_HZ_MAX = 8500;
