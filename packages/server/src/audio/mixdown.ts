// Mixes channels to mono so that every voice is audible: silent channels do not make the others quieter, and a channel
// in anti-phase is inverted. Gains are chosen per block and change gradually, so nothing clicks.
import { CHANNEL_BLOCK_SECONDS, ChannelActivity } from './channel-activity.ts';

/** How long a channel counts as active after speech: on a call the speakers alternate, and levels must not pump. */
const ACTIVE_MEMORY_SECONDS = 10;
const CORRELATION_MEMORY_SECONDS = 0.2;
/** A channel 40 dB below the loudest counts as silent. */
const SILENCE_RATIO = 1e-4;
/** Correlation below which a channel is inverted, and above which the inversion ends. */
const TURN_BELOW = -0.5;
const RETURN_ABOVE = -0.2;

export interface Mixdown {
  /** When each channel is heard; set only if two channels are mixed. */
  readonly activity?: ChannelActivity;
  /** Takes one array per channel; returns the mixed samples, at most one block late. */
  push(channels: readonly Float32Array[]): Float32Array;
  finish(): Float32Array;
}

export const openMixdown = (channels: number, sampleRateHz: number): Mixdown =>
  channels === 1
    ? { push: ([only]) => only ?? new Float32Array(0), finish: () => new Float32Array(0) }
    : new BlockMixdown(channels, sampleRateHz);

/** A single channel; silence when the audio has fewer channels. */
export const pickChannel = (channel: number): Mixdown => ({
  push: (channels) => channels[channel] ?? new Float32Array(channels[0]?.length ?? 0),
  finish: () => new Float32Array(0),
});

interface Channel {
  readonly block: Float32Array;
  /** Energy of the loudest recent block, decaying. */
  heldEnergy: number;
  energy: number;
  cross: number;
  sign: 1 | -1;
  gain: number;
}

class BlockMixdown implements Mixdown {
  readonly activity?: ChannelActivity;
  readonly #channels: Channel[];
  readonly #blockFrames: number;
  readonly #heldDecay: number;
  readonly #smoothing: number;
  #filled = 0;
  #reference: Channel | undefined;
  #hasGains = false;

  constructor(channels: number, sampleRateHz: number) {
    if (channels === 2) this.activity = new ChannelActivity();
    this.#blockFrames = Math.max(1, Math.round(sampleRateHz * CHANNEL_BLOCK_SECONDS));
    const blockSeconds = this.#blockFrames / sampleRateHz;
    this.#heldDecay = Math.exp(-blockSeconds / ACTIVE_MEMORY_SECONDS);
    this.#smoothing = Math.exp(-blockSeconds / CORRELATION_MEMORY_SECONDS);
    this.#channels = Array.from({ length: channels }, () => ({
      block: new Float32Array(this.#blockFrames),
      heldEnergy: 0,
      energy: 0,
      cross: 0,
      sign: 1,
      gain: 0,
    }));
  }

  push(input: readonly Float32Array[]): Float32Array {
    const frames = input[0]?.length ?? 0;
    const mixed = new Float32Array(Math.floor((this.#filled + frames) / this.#blockFrames) * this.#blockFrames);
    let written = 0;
    for (let at = 0; at < frames; ) {
      const step = Math.min(frames - at, this.#blockFrames - this.#filled);
      for (const [index, channel] of this.#channels.entries()) {
        channel.block.set(input[index]!.subarray(at, at + step), this.#filled);
      }
      at += step;
      this.#filled += step;
      if (this.#filled < this.#blockFrames) break;
      this.#mix(mixed.subarray(written, written + this.#blockFrames));
      written += this.#blockFrames;
      this.#filled = 0;
    }
    return mixed;
  }

  finish(): Float32Array {
    const mixed = new Float32Array(this.#filled);
    if (this.#filled > 0) this.#mix(mixed);
    this.#filled = 0;
    return mixed;
  }

  #mix(mixed: Float32Array): void {
    const targets = this.#targets(mixed.length);
    for (const [index, channel] of this.#channels.entries()) {
      const target = targets[index]!;
      const from = this.#hasGains ? channel.gain : target;
      const slope = (target - from) / mixed.length;
      for (let at = 0; at < mixed.length; at++) mixed[at]! += channel.block[at]! * (from + slope * at);
      channel.gain = target;
    }
    this.#hasGains = true;
  }

  #targets(frames: number): number[] {
    for (const channel of this.#channels) {
      const energy = product(channel.block, channel.block, frames);
      channel.heldEnergy = Math.max(energy, channel.heldEnergy * this.#heldDecay);
      channel.energy = this.#smooth(channel.energy, energy);
    }
    this.#noteActivity(frames);
    const loudest = Math.max(...this.#channels.map(({ heldEnergy }) => heldEnergy));
    const active = this.#channels.filter(({ heldEnergy }) => loudest > 0 && heldEnergy >= loudest * SILENCE_RATIO);
    this.#turn(active, frames);
    // Silent channels keep a gain too, so that speech that starts there is audible from its first sample.
    const share = 1 / (active.length || this.#channels.length);
    return this.#channels.map((channel) => channel.sign * share);
  }

  #noteActivity(frames: number): void {
    const [first, second] = this.#channels;
    if (!this.activity || !first || !second) return;
    const energyOf = ({ block }: Channel): number => product(block, block, frames);
    this.activity.add(energyOf(first), energyOf(second), product(first.block, second.block, frames));
  }

  /** Inverts channels that are in anti-phase with the first active one. */
  #turn(active: readonly Channel[], frames: number): void {
    const [reference, ...others] = active;
    if (!reference) return;
    if (reference !== this.#reference) {
      for (const channel of this.#channels) channel.cross = 0;
      reference.sign = 1;
      this.#reference = reference;
    }
    for (const channel of others) {
      channel.cross = this.#smooth(channel.cross, product(reference.block, channel.block, frames));
      const scale = Math.sqrt(reference.energy * channel.energy);
      if (scale === 0) continue;
      const correlation = channel.cross / scale;
      if (correlation < TURN_BELOW) channel.sign = -1;
      else if (correlation > RETURN_ABOVE) channel.sign = 1;
    }
  }

  #smooth(before: number, now: number): number {
    return before * this.#smoothing + now * (1 - this.#smoothing);
  }
}

const product = (a: Float32Array, b: Float32Array, frames: number): number => {
  let sum = 0;
  for (let at = 0; at < frames; at++) sum += a[at]! * b[at]!;
  return sum / frames;
};
