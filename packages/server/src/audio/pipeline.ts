// Decodes the bytes of one upload to 16 kHz mono. Measures ahead of decoding, so that audio that is too long is refused
// before it is decoded.
import { ActivityLog } from './channel-activity.ts';
import { openDecoder } from './codecs/open-decoder.ts';
import type { PacketDecoder } from './codecs/packet-decoder.ts';
import { ByteQueue, NEEDS_BYTES } from './containers/byte-queue.ts';
import { joinSamples } from './join-samples.ts';
import { type Mixdown, openMixdown, pickChannel } from './mixdown.ts';
import { Refusal, tooLong, tooManySamples, unsupported } from './refusal.ts';
import { openResampler, type Resampler } from './resample.ts';
import { type Demuxing, type Packet, type Track, withoutSurroundings } from './track.ts';

/** Limit on queued undecoded packets; enough to measure minutes of speech ahead. */
const BACKLOG_BYTES_MAX = 1024 * 1024;
/** Limit on queued tracks: the setup of each may take much memory and time. */
const BACKLOG_TRACKS_MAX = 2;
/** Overhead of a queued packet. */
const PACKET_COST_BYTES = 128;
/** Limit on padding, which is decoded only to be dropped. */
const PADDING_SECONDS_MAX = 60;
const SOURCE_RATE_HZ = { min: 1000, max: 384_000 };
/** Limit on samples of all channels, per second of the maximum duration: stereo at 192 kHz. Each sample costs time. */
const SAMPLES_PER_SECOND_MAX = 2 * 192_000;
/** Allows for rounding in sums of durations; far below one frame. */
const ROUNDING_SECONDS = 1e-9;
const DECLARED_SLACK_SECONDS = 1;

/** The decoding stages of one track. */
interface Chain {
  readonly track: Track;
  readonly decoder: PacketDecoder;
  readonly mixdown: Mixdown;
  readonly resampler: Resampler;
  /** Frames decoded so far at the track's rate, including those to skip. */
  position: number;
  decodedFrames: number;
}

export class Pipeline {
  readonly #bytes = new ByteQueue();
  readonly #demuxing: Demuxing;
  readonly #maxDurationSeconds: number;
  readonly #channel: number | undefined;
  #demuxState: 'reading' | 'done' = 'reading';
  #backlog: (Track | Packet)[] = [];
  #backlogNext = 0;
  #backlogBytes = 0;
  #backlogTracks = 0;
  #keepsPackets = true;

  /** Duration of the packets seen so far. */
  readonly #measured = {
    secondsBefore: 0,
    frames: 0,
    skipFrames: 0,
    rateHz: 1,
    channels: 1,
    samples: 0,
    totalSeconds: 0,
    hasAudio: false,
  };

  #chain: Chain | undefined;
  #decodedSecondsBefore = 0;
  #failures = 0;
  #sourceChannels = 0;
  #isFreed = false;
  #output: Float32Array[] = [];
  #outputSamples = 0;
  readonly #activity = new ActivityLog();

  /** Without `channel`, all channels are mixed. */
  constructor(demux: (bytes: ByteQueue) => Demuxing, maxDurationSeconds: number, channel?: number) {
    this.#demuxing = demux(this.#bytes);
    this.#channel = channel;
    this.#maxDurationSeconds = maxDurationSeconds;
  }

  push(bytes: Uint8Array): void {
    this.#bytes.push(bytes);
  }

  end(): void {
    this.#bytes.end();
  }

  /** Seconds of audio decoded so far, at the source rate. */
  get decodedSeconds(): number {
    const { decodedFrames = 0, track } = this.#chain ?? {};
    return this.#decodedSecondsBefore + (track ? decodedFrames / track.coding.sampleRateHz : 0);
  }

  /** Seconds of audio found so far, decoded or not. */
  get measuredSeconds(): number {
    const { secondsBefore, frames, skipFrames, rateHz } = this.#measured;
    return secondsBefore + Math.max(0, frames - skipFrames) / rateHz;
  }

  /** Channels of the current or last track; 0 before the first. */
  get sourceChannels(): number {
    return this.#sourceChannels;
  }

  get outputSamples(): number {
    return this.#outputSamples;
  }

  /** Returns the channel activity since the last call, one byte per block. */
  takeActivity(): Uint8Array {
    this.#keepActivity();
    return this.#activity.take();
  }

  /** Saves the chain's activity before the chain is dropped. */
  #keepActivity(chain = this.#chain): void {
    const taken = chain?.mixdown.activity?.take();
    if (taken) this.#activity.append(taken);
  }

  /** Returns what was decoded since the last call. */
  takeOutput(): Float32Array {
    const samples = joinSamples(this.#output);
    this.#output = [];
    this.#outputSamples = 0;
    return samples;
  }

  /**
   * Parses packets from the bytes that have arrived, until the backlog is full, and adds up their durations. Throws a
   * Refusal as soon as the audio is known to be too long, unsupported or missing.
   */
  readAhead(): 'needs-bytes' | 'full' | 'done' {
    if (!this.#keepsPackets) this.#backlogBytes = this.#backlogTracks = 0;
    while (this.#demuxState === 'reading') {
      if (this.#backlogBytes >= BACKLOG_BYTES_MAX || this.#backlogTracks >= BACKLOG_TRACKS_MAX) return 'full';
      try {
        const { done, value } = this.#demuxing.next();
        if (value === NEEDS_BYTES) return 'needs-bytes';
        if (done) this.#demuxState = 'done';
        else this.#measure(value);
      } catch (thrown) {
        // Keep what precedes the damage: treat the file as truncated there.
        const isCutShort =
          thrown instanceof Refusal && thrown.code === 'AUDIO_FORMAT_UNSUPPORTED' && this.#measured.hasAudio;
        if (!isCutShort) throw thrown;
        this.#demuxState = 'done';
      }
    }
    return 'done';
  }

  /** Counts packets from now on instead of keeping them, and closes the decoder. */
  countOnly(): void {
    this.#keepsPackets = false;
    this.#backlog = [];
    this.#backlogNext = 0;
    this.#freeChain();
  }

  /** Decodes one packet or opens the next track; 'idle' when nothing is queued, 'done' after the last packet. */
  async decodeNext(): Promise<'decoded' | 'idle' | 'done'> {
    const item = this.#backlog[this.#backlogNext];
    if (!item) {
      if (this.#demuxState === 'reading') return 'idle';
      this.#finishChain();
      if (this.#failures > 0 && this.decodedSeconds === 0) {
        throw unsupported('The audio in the file is damaged: none of it can be decoded.');
      }
      return 'done';
    }
    this.#backlogBytes -= costOf(item);
    if (item.kind === 'track') this.#backlogTracks--;
    if (++this.#backlogNext > 1024 || this.#backlogNext === this.#backlog.length) {
      this.#backlog = this.#backlog.slice(this.#backlogNext);
      this.#backlogNext = 0;
    }
    if (item.kind === 'track') await this.#startChain(item);
    else this.#decode(item);
    return 'decoded';
  }

  /** May be called while a track is being opened. */
  free(): void {
    this.#isFreed = true;
    this.#freeChain();
    this.#backlog = [];
    this.#output = [];
    this.#demuxState = 'done';
  }

  #freeChain(): void {
    this.#keepActivity();
    this.#chain?.decoder.free();
    this.#chain?.resampler.free();
    this.#chain = undefined;
  }

  #measure(item: Track | Packet): void {
    const measured = this.#measured;
    if (item.kind === 'track') {
      const { sampleRateHz, channels } = item.coding;
      if (!(sampleRateHz >= SOURCE_RATE_HZ.min && sampleRateHz <= SOURCE_RATE_HZ.max)) {
        throw unsupported(`A sample rate of ${sampleRateHz} Hz is not supported; 1000 to 384000 Hz is.`);
      }
      this.#backlogTracks++;
      measured.secondsBefore = this.measuredSeconds;
      measured.frames = 0;
      measured.skipFrames = item.skipFrames;
      measured.rateHz = sampleRateHz;
      measured.channels = channels;
      this.#checkDeclared(item);
    } else {
      measured.frames += item.frames - item.discardFrames;
      measured.totalSeconds += item.frames / measured.rateHz;
      measured.samples += item.frames * measured.channels;
      measured.hasAudio ||= item.frames > 0;
      const most = this.#maxDurationSeconds + ROUNDING_SECONDS;
      if (this.measuredSeconds > most || measured.totalSeconds > most + PADDING_SECONDS_MAX) {
        throw tooLong(this.#maxDurationSeconds);
      }
      if (measured.samples > (most + PADDING_SECONDS_MAX) * SAMPLES_PER_SECOND_MAX) throw tooManySamples(measured);
    }
    this.#backlogBytes += costOf(item);
    if (this.#keepsPackets) this.#backlog.push(item.kind === 'packet' ? withoutSurroundings(item) : item);
  }

  /** Allows for rounded times in the index; the packets are still counted exactly. */
  #checkDeclared({ declaredSeconds = 0 }: Track): void {
    if (this.#measured.secondsBefore + declaredSeconds > this.#maxDurationSeconds + DECLARED_SLACK_SECONDS)
      throw tooLong(this.#maxDurationSeconds);
  }

  async #startChain(track: Track): Promise<void> {
    this.#finishChain();
    const decoder = await openDecoder(track);
    const resampler = await openResampler(decoder.outputRateHz);
    if (this.#isFreed) {
      decoder.free();
      resampler.free();
      return;
    }
    this.#sourceChannels = track.coding.channels;
    const mixdown =
      this.#channel === undefined
        ? openMixdown(track.coding.channels, decoder.outputRateHz)
        : pickChannel(this.#channel);
    this.#chain = { track, decoder, mixdown, resampler, position: 0, decodedFrames: 0 };
  }

  #finishChain(): void {
    const chain = this.#chain;
    if (!chain) return;
    this.#decodedSecondsBefore = this.decodedSeconds;
    this.#chain = undefined;
    this.#emit(chain.resampler.push(chain.mixdown.finish()));
    this.#emit(chain.resampler.finish());
    this.#keepActivity(chain);
    chain.decoder.free();
    chain.resampler.free();
  }

  #decode(packet: Packet): void {
    const chain = this.#chain;
    if (!chain) return;
    const { decoder, track } = chain;
    let channels: Float32Array[];
    try {
      channels = decoder.decode(packet.data);
    } catch {
      this.#failures++;
      return;
    }
    const decodedSamples = channels[0]?.length ?? 0;
    if (decodedSamples === 0) return;
    // Trims are in frames of the track, while samples may be at another rate: round positions, so that sums stay exact.
    const samplesPerFrame = decoder.outputRateHz / track.coding.sampleRateHz;
    const frames = Math.round(decodedSamples / samplesPerFrame);
    const start = chain.position;
    chain.position += frames;
    const from = Math.max(start, track.skipFrames);
    const to = Math.max(from, start + frames - packet.discardFrames);
    if (to === from) return;
    chain.decodedFrames += to - from;
    const sampleAt = (frame: number): number => Math.round((frame - (decoder.phaseFrames ?? 0)) * samplesPerFrame);
    const offset = Math.round(start * samplesPerFrame);
    const first = Math.max(0, sampleAt(from) - offset);
    const last = Math.max(0, sampleAt(to) - offset);
    const kept = channels.map((samples) => samples.subarray(first, last));
    this.#emit(chain.resampler.push(chain.mixdown.push(kept)));
  }

  #emit(samples: Float32Array): void {
    if (samples.length === 0) return;
    this.#output.push(samples);
    this.#outputSamples += samples.length;
  }
}

const costOf = (item: Track | Packet): number => PACKET_COST_BYTES + (item.kind === 'packet' ? item.data.length : 0);
