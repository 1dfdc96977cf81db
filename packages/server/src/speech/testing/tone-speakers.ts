// Speaker features for tests: low tones are one voice, high tones another.
import type { SpeakerEmbedding } from '../speakers/embeddings/embedding.ts';
import { FRAME_SAMPLES, framesIn, WINDOW_FRAMES, WINDOW_SAMPLES } from '../speakers/frames.ts';
import type { SpeakerFeatures, SpeakerSource } from '../speakers/speaker-features.ts';
import { loudness } from './tones.ts';

/** Between the tones of `orchard` and `pencil`: lower tones are one voice, higher tones the other. */
const VOICE_HZ = 1_490;
/** Frames that are partly silent would give a wrong pitch. */
const LOUDNESS_MIN = 0.2;
/** Pauses between words belong to the voice before them. */
const HOLD_FRAMES = 12;
const DIMENSIONS = 8;

/** 0 where nobody speaks, else 1 or 2. */
const voicesIn = (samples: Float32Array): Uint8Array => {
  const voices = new Uint8Array(Math.max(WINDOW_FRAMES, framesIn(samples.length)));
  let held = 0;
  let voice = 0;
  for (let frame = 0; frame < voices.length; frame++) {
    const piece = samples.subarray(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES);
    if (loudness(piece) >= LOUDNESS_MIN) {
      let crossings = 0;
      for (let at = 1; at < piece.length; at++) if (piece[at - 1]! <= 0 && piece[at]! > 0) crossings += 1;
      const hz = (crossings * 16_000) / piece.length;
      voice = hz < VOICE_HZ ? 1 : 2;
      held = HOLD_FRAMES;
    } else held -= 1;
    voices[frame] = held > 0 ? voice : 0;
  }
  return voices;
};

/** The similarities are those of the default model. */
export const TONE_EMBEDDING: SpeakerEmbedding = {
  id: 'tones',
  isMeasured: true,
  similarities: { stopWide: 0.26, stopNarrow: 0.3, knownWide: 0.36, knownNarrow: 0.45 },
};

/** Records its owners, and fails on request. */
export class ToneSpeakers implements SpeakerSource {
  embedding = TONE_EMBEDDING;
  readonly owners: string[] = [];
  failure: Error | undefined;

  async open(owner: string, signal?: AbortSignal): Promise<SpeakerFeatures> {
    this.owners.push(owner);
    const check = () => {
      signal?.throwIfAborted();
      if (this.failure) throw this.failure;
    };
    check();
    return {
      embedding: this.embedding,
      hasSegmentation: true,
      segment: async (samples, starts) => {
        check();
        return starts.map((start) =>
          voicesIn(samples.subarray(start, start + WINDOW_SAMPLES)).subarray(0, WINDOW_FRAMES),
        );
      },
      embed: async (stretch, regions) => {
        check();
        const voices = voicesIn(stretch);
        const embeddings = regions.map((spans) => {
          const embedding = new Float32Array(DIMENSIONS);
          for (let pair = 0; pair < spans.length; pair += 2)
            for (let frame = spans[pair]!; frame < spans[pair + 1]!; frame++) embedding[voices[frame] ?? 0]! += 1;
          // Ignore frames without speech.
          embedding[0] = 0;
          const length = Math.hypot(...embedding) || 1;
          return embedding.map((value) => value / length);
        });
        return { embeddings, band: { low: 1, high: 1 } };
      },
    };
  }
}
