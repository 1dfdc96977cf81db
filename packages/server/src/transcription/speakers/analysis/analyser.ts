// Analyses a recording as it arrives and gathers what diarization needs, keeping only recent audio.
import { SAMPLE_RATE_HZ } from '../../../lib/sample-rate.ts';
import { FRAME_SAMPLES, frameAtSample, framesIn, WINDOW_SAMPLES } from '../../../speech/speakers/frames.ts';
import type { SpeakerFeatures } from '../../../speech/speakers/speaker-features.ts';
import { SampleBuffer } from '../../recognition/sample-buffer.ts';
import type { SpeakerAnalysis } from '../diarize.ts';
import { type Stop, stopFor } from '../parameters.ts';
import type { ActivityWindow, EmbeddedAtom, FrameRange } from '../types.ts';
import { ATOM_LENGTHS, ATOM_LENGTHS_BY_VOICE, atomsOf, segmentsOf } from './atoms.ts';
import { type Consensus, consensusOf, consensusOfSpeech } from './consensus.ts';
import { embedAtoms } from './stretches.ts';

export interface AnalyserOptions {
  /** Seconds between two windows of the segmentation model. */
  readonly hopSeconds?: number;
  /** Also embed within 10 s stretches, which is more accurate and costs more. */
  readonly withShortStretches?: boolean;
}

/** About two thirds of the cost, and a little less accurate. */
export const CHEAP: AnalyserOptions = { hopSeconds: 5, withShortStretches: false };

const HOP_SECONDS = 2.5;
/** Windows are batched, because running several at once is cheaper. */
const WINDOWS_AT_ONCE = 4;
/** A whole number of frames, so that a stretch starts on the frame grid. */
const STRETCH_SAMPLES = Math.floor((60 * SAMPLE_RATE_HZ) / FRAME_SAMPLES) * FRAME_SAMPLES;
const LEAD_FRAMES = Math.round((0.5 * SAMPLE_RATE_HZ) / FRAME_SAMPLES);
const TAIL_FRAMES = Math.round(SAMPLE_RATE_HZ / FRAME_SAMPLES);

export class SpeakerAnalyser {
  readonly #features: SpeakerFeatures;
  readonly #hopSamples: number;
  readonly #withShortStretches: boolean;
  readonly #audio = new SampleBuffer();
  readonly #windows: ActivityWindow[] = [];
  readonly #speech: FrameRange[] = [];
  readonly #atoms: EmbeddedAtom[] = [];
  #band = { low: 0, high: 0 };
  #nextWindow = 0;
  /** Atoms before this frame are done. */
  #doneFrame = 0;

  constructor(features: SpeakerFeatures, options: AnalyserOptions = {}) {
    this.#features = features;
    this.#hopSamples = Math.round((options.hopSeconds ?? HOP_SECONDS) * SAMPLE_RATE_HZ);
    this.#withShortStretches = options.withShortStretches ?? true;
  }

  /**
   * Adds speech found by voice activity detection, in order; a span with the same start as the last one replaces it.
   * Needed only without the segmentation model.
   */
  addSpeech(startSeconds: number, endSeconds: number): void {
    const frame = (seconds: number) => frameAtSample(seconds * SAMPLE_RATE_HZ);
    const span = { fromFrame: frame(startSeconds), toFrame: frame(endSeconds) };
    if (this.#speech.at(-1)?.fromFrame === span.fromFrame) this.#speech.pop();
    this.#speech.push(span);
  }

  /** 16 kHz samples. Resolves when they are analysed as far as possible. Must not be called again before that. */
  async push(samples: Float32Array): Promise<void> {
    this.#audio.append(samples);
    await this.#segment(WINDOWS_AT_ONCE);
    while (this.#audio.endSample >= this.#stretchStart + STRETCH_SAMPLES + WINDOW_SAMPLES) {
      await this.#segment(1);
      await this.#analyseStretch(false);
    }
  }

  async end(): Promise<SpeakerAnalysis> {
    await this.#segment(1, true);
    while (this.#audio.endSample > this.#stretchStart + STRETCH_SAMPLES) await this.#analyseStretch(false);
    await this.#analyseStretch(true);
    const frames = framesIn(this.#audio.endSample);
    const speech = this.#features.hasSegmentation ? null : this.#speech;
    return {
      audioSeconds: this.#audio.endSample / SAMPLE_RATE_HZ,
      windows: this.#windows,
      atoms: this.#atoms,
      consensus: { frames, speech },
      band: this.#band,
      stop: this.#stop,
    };
  }

  get #stop(): Stop {
    const { embedding, hasSegmentation } = this.#features;
    if (!hasSegmentation) return stopFor(embedding.similarities, 'byVoice');
    return stopFor(embedding.similarities, this.#withShortStretches ? 'standard' : 'cheap');
  }

  get #stretchStart(): number {
    return Math.max(0, this.#doneFrame - LEAD_FRAMES) * FRAME_SAMPLES;
  }

  #consensus(fromFrame: number, toFrame: number): Consensus {
    return this.#features.hasSegmentation
      ? consensusOf(this.#windows, fromFrame, toFrame)
      : consensusOfSpeech(this.#speech, fromFrame, toFrame);
  }

  /** Runs the model on complete windows, if there are enough; at the end also on the last one, padded with silence. */
  async #segment(windowsMin: number, isEnd = false): Promise<void> {
    const complete = Math.floor((this.#audio.endSample - WINDOW_SAMPLES - this.#nextWindow) / this.#hopSamples) + 1;
    if (!this.#features.hasSegmentation || (complete < windowsMin && !isEnd)) return;
    const starts: number[] = [];
    while (this.#audio.endSample >= this.#nextWindow + WINDOW_SAMPLES) {
      starts.push(this.#nextWindow);
      this.#nextWindow += this.#hopSamples;
    }
    // The previous window may already reach the end of the audio.
    const isCovered =
      this.#nextWindow > 0 && this.#nextWindow - this.#hopSamples + WINDOW_SAMPLES >= this.#audio.endSample;
    if (isEnd && !isCovered && this.#audio.endSample > this.#nextWindow) starts.push(this.#nextWindow);
    const first = starts[0];
    if (first === undefined) return;
    const samples = this.#audio.slice(first, this.#audio.endSample);
    const found = await this.#features.segment(
      samples,
      starts.map((start) => start - first),
    );
    found.forEach((bits, index) => {
      this.#windows.push({ firstFrame: frameAtSample(starts[index]!), bits });
    });
  }

  /** Embeds the atoms of one stretch. Speech that is still open at its end waits for the next one. */
  async #analyseStretch(isLast: boolean): Promise<void> {
    // The last stretch reaches back, so that it is as long as the others.
    const start = isLast ? this.#lastStretchStart : this.#stretchStart;
    const end = isLast ? this.#audio.endSample : start + STRETCH_SAMPLES;
    const limit = isLast ? framesIn(end) : Math.floor(end / FRAME_SAMPLES) - TAIL_FRAMES;
    const consensus = this.#consensus(this.#doneFrame, limit);
    const segments = segmentsOf(consensus);
    const open = isLast ? undefined : segments.at(-1);
    const isOpen = open !== undefined && open.toFrame === limit && segments.length > 1;
    const closed = isOpen ? segments.slice(0, -1) : segments;
    const lengths = this.#features.hasSegmentation ? ATOM_LENGTHS : ATOM_LENGTHS_BY_VOICE;
    const audio = { firstFrame: start / FRAME_SAMPLES, samples: this.#audio.slice(start, end) };
    const atoms = atomsOf(closed, consensus, lengths);
    const { atoms: embedded, band } = await embedAtoms(this.#features, audio, atoms, this.#withShortStretches);
    for (const atom of embedded) this.#atoms.push(atom);
    this.#band = { low: this.#band.low + band.low, high: this.#band.high + band.high };
    this.#doneFrame = isOpen ? open.fromFrame : limit;
    this.#audio.dropBefore(Math.min(this.#stretchStart, this.#nextWindow) - STRETCH_SAMPLES);
  }

  get #lastStretchStart(): number {
    const start = Math.ceil(Math.max(0, this.#audio.endSample - STRETCH_SAMPLES) / FRAME_SAMPLES) * FRAME_SAMPLES;
    return Math.min(
      this.#stretchStart,
      Math.max(start, Math.ceil(this.#audio.startSample / FRAME_SAMPLES) * FRAME_SAMPLES),
    );
  }
}
