// Turns the speech probabilities of 32 ms frames into spans of speech, as the audio arrives.
import { SAMPLES_PER_MS } from '../../lib/sample-rate.ts';
import { VOICE_FRAME_SAMPLES } from '../recogniser.ts';

interface SegmenterSettings {
  /** A frame at or above this starts speech. */
  readonly onsetProbability: number;
  /** Within speech, a frame at or above this continues it. */
  readonly holdProbability: number;
  /** A span that never reaches this was noise. */
  readonly peakProbability: number;
  /** A span with less voiced time was a click. */
  readonly voicedMsMin: number;
  /** A pause this long closes a span. */
  readonly hangoverMs: number;
  /** Audio kept before the first voiced frame: it improves the recognition of the first word. */
  readonly leadMs: number;
  /** Audio kept after the last voiced frame, for soft word endings. */
  readonly paddingMs: number;
}

/** Tuned on recorded speech and noise: see docs/decisions/voice-activity.md. */
export const SEGMENTER_SETTINGS: SegmenterSettings = {
  onsetProbability: 0.35,
  holdProbability: 0.2,
  peakProbability: 0.7,
  voicedMsMin: 96,
  hangoverMs: 600,
  leadMs: 600,
  paddingMs: 400,
};

export interface SpeechSpan {
  /** First sample, padding included. */
  readonly startSample: number;
  /** One past the last sample, padding included; never past the end of the audio. */
  readonly endSample: number;
  /** Samples in voiced frames. */
  readonly voicedSamples: number;
}

interface OpenSpan {
  readonly startSample: number;
  /** One past the last voiced sample, without padding. */
  readonly voicedEndSample: number;
  readonly voicedSamples: number;
}

export interface SegmenterView {
  /** Spans closed by this push, in order. */
  readonly closed: readonly SpeechSpan[];
  /** The current span, once it counts as speech. */
  readonly open: OpenSpan | null;
  /** Start of a voice that is still too short or too faint to count as speech. */
  readonly uncertainSample: number | null;
  /** Time since the last voiced frame, or since the start. */
  readonly pauseSamples: number;
  /** Samples with a known probability. */
  readonly judgedSamples: number;
}

interface Candidate {
  readonly startSample: number;
  readonly voiceSample: number;
  voicedEndSample: number;
  voicedSamples: number;
  peakProbability: number;
}

export class SpeechSegmenter {
  readonly #settings: SegmenterSettings;
  readonly #hangoverSamples: number;
  readonly #leadSamples: number;
  readonly #paddingSamples: number;
  #judgedSamples = 0;
  #voicedEndSample = 0;
  #closedEndSample = 0;
  #candidate: Candidate | null = null;

  constructor(settings: SegmenterSettings = SEGMENTER_SETTINGS) {
    if (settings.hangoverMs < settings.paddingMs) throw new RangeError('hangoverMs must be paddingMs or more');
    this.#settings = settings;
    this.#hangoverSamples = settings.hangoverMs * SAMPLES_PER_MS;
    this.#leadSamples = settings.leadMs * SAMPLES_PER_MS;
    this.#paddingSamples = settings.paddingMs * SAMPLES_PER_MS;
  }

  /** Takes the probabilities of the next frames. */
  push(probabilities: ArrayLike<number>): SegmenterView {
    const closed: SpeechSpan[] = [];
    for (let frame = 0; frame < probabilities.length; frame++) {
      const probability = probabilities[frame] ?? 0;
      this.#judgedSamples += VOICE_FRAME_SAMPLES;
      const threshold = this.#candidate ? this.#settings.holdProbability : this.#settings.onsetProbability;
      if (probability >= threshold) this.#voice(probability);
      else if (this.#candidate && this.#judgedSamples - this.#candidate.voicedEndSample >= this.#hangoverSamples) {
        this.#close(closed, this.#judgedSamples);
      }
    }
    return this.#view(closed);
  }

  /** Closes the open span before its hangover is over. */
  close(): SegmenterView {
    const closed: SpeechSpan[] = [];
    if (this.#candidate) this.#close(closed, this.#judgedSamples);
    return this.#view(closed);
  }

  /** Closes the open span at the end of the audio, which may be within the last frame. */
  end(totalSamples: number): SegmenterView {
    const closed: SpeechSpan[] = [];
    if (this.#candidate) this.#close(closed, totalSamples);
    this.#judgedSamples = totalSamples;
    this.#voicedEndSample = Math.min(this.#voicedEndSample, totalSamples);
    return this.#view(closed);
  }

  #voice(probability: number): void {
    const frameStart = this.#judgedSamples - VOICE_FRAME_SAMPLES;
    this.#candidate ??= {
      startSample: Math.max(this.#closedEndSample, frameStart - this.#leadSamples),
      voiceSample: frameStart,
      voicedEndSample: 0,
      voicedSamples: 0,
      peakProbability: 0,
    };
    this.#candidate.voicedEndSample = this.#judgedSamples;
    this.#candidate.voicedSamples += VOICE_FRAME_SAMPLES;
    this.#candidate.peakProbability = Math.max(this.#candidate.peakProbability, probability);
    this.#voicedEndSample = this.#judgedSamples;
  }

  #close(closed: SpeechSpan[], limitSample: number): void {
    const candidate = this.#candidate;
    this.#candidate = null;
    if (!candidate || !this.#isSpeech(candidate)) return;
    const endSample = Math.min(candidate.voicedEndSample + this.#paddingSamples, limitSample);
    if (endSample <= candidate.startSample) return;
    this.#closedEndSample = endSample;
    closed.push({ startSample: candidate.startSample, endSample, voicedSamples: candidate.voicedSamples });
  }

  #isSpeech(candidate: Candidate): boolean {
    return (
      candidate.peakProbability >= this.#settings.peakProbability &&
      candidate.voicedSamples >= this.#settings.voicedMsMin * SAMPLES_PER_MS
    );
  }

  #view(closed: readonly SpeechSpan[]): SegmenterView {
    const candidate = this.#candidate;
    const open = candidate && this.#isSpeech(candidate) ? candidate : null;
    return {
      closed,
      open: open && {
        startSample: open.startSample,
        voicedEndSample: open.voicedEndSample,
        voicedSamples: open.voicedSamples,
      },
      uncertainSample: candidate && !open ? candidate.voiceSample : null,
      pauseSamples: this.#judgedSamples - this.#voicedEndSample,
      judgedSamples: this.#judgedSamples,
    };
  }
}
