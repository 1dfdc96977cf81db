// The interface of a codec: packets in, one array of samples per channel out.

export interface PacketDecoder {
  /** Sample rate of the output; may differ from the track's rate. */
  readonly outputRateHz: number;
  /** When the output rate is lower: offset of a packet's first output sample, in frames of the track. */
  readonly phaseFrames?: number;
  /** Throws when the packet cannot be decoded; later packets may still work. */
  decode(data: Uint8Array): Float32Array[];
  free(): void;
}

/** Resampling to 16 kHz removes all frequencies above this, so decoders may skip them. */
export const WANTED_HZ_MAX = 8500;
