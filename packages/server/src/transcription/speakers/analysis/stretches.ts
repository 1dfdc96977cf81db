// Embeds atoms: chooses the stretches of audio that the embedding model sees, and averages over two lengths of them.

import { SAMPLE_RATE_HZ } from '../../../lib/sample-rate.ts';
import type { BandEnergy } from '../../../speech/speakers/bandwidth.ts';
import { seesStretch } from '../../../speech/speakers/embeddings/embedding.ts';
import { FRAME_SAMPLES } from '../../../speech/speakers/frames.ts';
import type { EmbeddedStretch, SpeakerFeatures } from '../../../speech/speakers/speaker-features.ts';
import type { Atom, EmbeddedAtom } from '../types.ts';
import { addScaled, normalise } from '../vectors.ts';

/** The model normalises over the stretch: long ones make distant atoms comparable, short ones suppress the room. */
const SHORT_STRETCH_FRAMES = Math.floor((10 * SAMPLE_RATE_HZ) / FRAME_SAMPLES);
/** Frames at the ends of a stretch lack context. */
const MARGIN_FRAMES = 8;

/** Audio that begins at a frame of the recording. */
export interface FramedAudio {
  readonly firstFrame: number;
  readonly samples: Float32Array;
}

export interface EmbeddedAtoms {
  readonly atoms: readonly EmbeddedAtom[];
  readonly band: BandEnergy;
}

/** All atoms must lie in the audio, which is one stretch. Atoms without an embedding are dropped. */
export const embedAtoms = async (
  features: SpeakerFeatures,
  audio: FramedAudio,
  atoms: readonly Atom[],
  withShortStretches: boolean,
): Promise<EmbeddedAtoms> => {
  if (atoms.length === 0) return { atoms: [], band: { low: 0, high: 0 } };
  if (!seesStretch(features.embedding)) {
    const { embeddings, band } = await embedInShortStretches(features, audio, atoms);
    return { atoms: present(atoms, embeddings), band };
  }
  const whole = await features.embed(audio.samples, relativeSpans(atoms, audio.firstFrame));
  const isShort = audio.samples.length <= SHORT_STRETCH_FRAMES * FRAME_SAMPLES;
  const second = withShortStretches && !isShort ? (await embedInShortStretches(features, audio, atoms)).embeddings : [];
  const embeddings = whole.embeddings.map((first, index) => {
    const other = second[index];
    if (!first || !other) return first;
    const sum = Float32Array.from(first);
    addScaled(sum, other, 1);
    return normalise(sum);
  });
  return { atoms: present(atoms, embeddings), band: whole.band };
};

const present = (atoms: readonly Atom[], embeddings: readonly (Float32Array | null)[]): EmbeddedAtom[] =>
  atoms.flatMap((atom, index) => {
    const embedding = embeddings[index];
    return embedding ? [{ ...atom, embedding }] : [];
  });

const relativeSpans = (atoms: readonly Atom[], firstFrame: number): Int32Array[] =>
  atoms.map(({ spans }) => spans.map((frame) => frame - firstFrame));

const firstOf = ({ spans }: Atom): number => spans[0] ?? 0;
const lastOf = ({ spans }: Atom): number => spans.at(-1) ?? 0;

const embedInShortStretches = async (
  features: SpeakerFeatures,
  { firstFrame, samples }: FramedAudio,
  atoms: readonly Atom[],
): Promise<EmbeddedStretch> => {
  const embeddings: (Float32Array | null)[] = [];
  const band = { low: 0, high: 0 };
  const frames = Math.floor(samples.length / FRAME_SAMPLES);
  while (embeddings.length < atoms.length) {
    const next = embeddings.length;
    const wanted = firstOf(atoms[next]!) - firstFrame - MARGIN_FRAMES;
    const start = Math.max(0, Math.min(wanted, frames - SHORT_STRETCH_FRAMES));
    const end = firstFrame + start + SHORT_STRETCH_FRAMES - MARGIN_FRAMES;
    let count = 1;
    while (next + count < atoms.length && lastOf(atoms[next + count]!) <= end) count++;
    const from = start * FRAME_SAMPLES;
    const stretch = samples.subarray(from, from + SHORT_STRETCH_FRAMES * FRAME_SAMPLES);
    const regions = relativeSpans(atoms.slice(next, next + count), firstFrame + start);
    const embedded = await features.embed(stretch, regions);
    embeddings.push(...embedded.embeddings);
    band.low += embedded.band.low;
    band.high += embedded.band.high;
  }
  return { embeddings, band };
};
