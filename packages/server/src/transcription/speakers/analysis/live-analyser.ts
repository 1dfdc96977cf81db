// Analyses a live stream utterance by utterance: only audio up to the end of the utterance is used.
import { SAMPLE_RATE_HZ } from '../../../lib/sample-rate.ts';
import { FRAME_SAMPLES, frameAtSample, WINDOW_SAMPLES } from '../../../speech/speakers/frames.ts';
import type { SpeakerFeatures } from '../../../speech/speakers/speaker-features.ts';
import { SampleBuffer } from '../../recognition/sample-buffer.ts';
import type { UtteranceAnalysis } from '../live-speakers.ts';
import { stopFor } from '../parameters.ts';
import type { ActivityWindow } from '../types.ts';
import { ATOM_LENGTHS, ATOM_LENGTHS_BY_VOICE, atomsOf, segmentsOf } from './atoms.ts';
import { consensusOf, consensusOfSpeech } from './consensus.ts';
import { embedAtoms } from './stretches.ts';

/** Distance between windows, counted back from the end of the utterance. */
const HOP_SAMPLES = Math.floor((2.5 * SAMPLE_RATE_HZ) / FRAME_SAMPLES) * FRAME_SAMPLES;
/** Embeddings are normalised over at least this much audio before the end of the utterance. */
const STRETCH_SAMPLES = Math.floor((20 * SAMPLE_RATE_HZ) / FRAME_SAMPLES) * FRAME_SAMPLES;
/** Only the last part of a longer utterance is analysed. */
const UTTERANCE_SAMPLES_MAX = Math.floor((60 * SAMPLE_RATE_HZ) / FRAME_SAMPLES) * FRAME_SAMPLES;

export class LiveAnalyser {
  readonly #features: SpeakerFeatures | Promise<SpeakerFeatures>;
  readonly #audio = new SampleBuffer();

  /** Audio may be pushed before the models are loaded. */
  constructor(features: SpeakerFeatures | Promise<SpeakerFeatures>) {
    this.#features = features;
  }

  /** 16 kHz samples of the stream, in order. Old ones are dropped. */
  push(samples: Float32Array): void {
    this.#audio.append(samples);
    this.#audio.dropBefore(this.#audio.endSample - 2 * UTTERANCE_SAMPLES_MAX);
  }

  /** Analyses an utterance that has just ended, given in seconds of the stream. */
  async analyse(startSeconds: number, endSeconds: number): Promise<UtteranceAnalysis> {
    const features = await this.#features;
    const end = Math.min(this.#audio.endSample, Math.round(endSeconds * SAMPLE_RATE_HZ));
    const start = onGrid(Math.max(0, Math.round(startSeconds * SAMPLE_RATE_HZ), end - UTTERANCE_SAMPLES_MAX));
    const fromFrame = start / FRAME_SAMPLES;
    const toFrame = Math.max(fromFrame, Math.floor(end / FRAME_SAMPLES));
    const windows = features.hasSegmentation ? await this.#windows(features, start, end) : [];
    const consensus = features.hasSegmentation
      ? consensusOf(windows, fromFrame, toFrame)
      : consensusOfSpeech([{ fromFrame, toFrame }], fromFrame, toFrame);
    const lengths = features.hasSegmentation ? ATOM_LENGTHS : ATOM_LENGTHS_BY_VOICE;
    const atoms = atomsOf(segmentsOf(consensus), consensus, lengths);
    const stretchStart = onGrid(Math.max(0, Math.min(start, end - STRETCH_SAMPLES)));
    const stretch = { firstFrame: stretchStart / FRAME_SAMPLES, samples: this.#audio.slice(stretchStart, end) };
    const embedded = await embedAtoms(features, stretch, atoms, false);
    return {
      endSeconds,
      windows,
      consensus,
      atoms: embedded.atoms,
      band: embedded.band,
      stop: stopFor(features.embedding.similarities, features.hasSegmentation ? 'live' : 'byVoice'),
    };
  }

  async #windows(features: SpeakerFeatures, start: number, end: number): Promise<ActivityWindow[]> {
    const starts: number[] = [];
    let next = onGrid(Math.max(0, end - WINDOW_SAMPLES));
    while (starts.length === 0 || (next + WINDOW_SAMPLES > start && next >= 0)) {
      starts.unshift(next);
      next -= HOP_SAMPLES;
    }
    const first = starts[0]!;
    const found = await features.segment(
      this.#audio.slice(first, end),
      starts.map((sample) => sample - first),
    );
    return found.map((bits, index) => ({ firstFrame: frameAtSample(starts[index]!), bits }));
  }
}

const onGrid = (sample: number): number => Math.floor(sample / FRAME_SAMPLES) * FRAME_SAMPLES;
