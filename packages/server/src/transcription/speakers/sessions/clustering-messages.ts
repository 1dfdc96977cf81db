// Messages between the event loop and the clustering threads.
import type { Diarization, SpeakerAnalysis } from '../diarize.ts';
import type { LiveUpdate, UtteranceAnalysis } from '../live-speakers.ts';
import type { ActivityWindow, EmbeddedAtom, SpeakerCount } from '../types.ts';

/** An analysis packed into a few large arrays, which are quick to send: a long one has thousands of atoms. */
export interface PackedAnalysis extends Omit<SpeakerAnalysis, 'atoms' | 'windows'> {
  /** First and end frame of each atom, and the length of its `spans`. */
  readonly atomFrames: Int32Array;
  readonly spans: Int32Array;
  readonly pooledSeconds: Float64Array;
  readonly embeddings: Float32Array;
  readonly firstFrames: Int32Array;
  readonly bits: Uint8Array;
}

export const packed = ({ atoms, windows, ...rest }: SpeakerAnalysis): PackedAnalysis => {
  const dimensions = atoms[0]?.embedding.length ?? 0;
  const embeddings = new Float32Array(atoms.length * dimensions);
  atoms.forEach(({ embedding }, atom) => {
    embeddings.set(embedding, atom * dimensions);
  });
  const frames = windows[0]?.bits.length ?? 0;
  const bits = new Uint8Array(windows.length * frames);
  windows.forEach((window, index) => {
    bits.set(window.bits, index * frames);
  });
  return {
    ...rest,
    atomFrames: Int32Array.from(atoms.flatMap(({ fromFrame, toFrame, spans }) => [fromFrame, toFrame, spans.length])),
    spans: Int32Array.from(atoms.flatMap(({ spans }) => [...spans])),
    pooledSeconds: Float64Array.from(atoms, ({ pooledSeconds }) => pooledSeconds),
    embeddings,
    firstFrames: Int32Array.from(windows, ({ firstFrame }) => firstFrame),
    bits,
  };
};

export const unpacked = (analysis: PackedAnalysis): SpeakerAnalysis => {
  const { atomFrames, spans, pooledSeconds, embeddings, firstFrames, bits, ...rest } = analysis;
  const dimensions = embeddings.length / Math.max(1, pooledSeconds.length);
  const frames = bits.length / Math.max(1, firstFrames.length);
  let span = 0;
  const atoms = Array.from(pooledSeconds, (seconds, atom): EmbeddedAtom => {
    const [fromFrame = 0, toFrame = 0, count = 0] = atomFrames.subarray(3 * atom, 3 * atom + 3);
    span += count;
    return {
      fromFrame,
      toFrame,
      spans: spans.subarray(span - count, span),
      pooledSeconds: seconds,
      embedding: embeddings.subarray(atom * dimensions, (atom + 1) * dimensions),
    };
  });
  const windows = Array.from(
    firstFrames,
    (firstFrame, index): ActivityWindow => ({ firstFrame, bits: bits.subarray(index * frames, (index + 1) * frames) }),
  );
  return { ...rest, atoms, windows };
};

export type ClusteringTask =
  | { readonly kind: 'recording'; readonly analysis: PackedAnalysis; readonly limits: SpeakerCount }
  | {
      readonly kind: 'utterance';
      readonly stream: number;
      readonly analysis: UtteranceAnalysis;
      readonly limits: SpeakerCount;
    };

export type ToClusteringThread =
  | { readonly kind: 'run'; readonly id: number; readonly task: ClusteringTask }
  /** The stream is over: its state is dropped. */
  | { readonly kind: 'forget'; readonly stream: number };

export type FromClusteringThread =
  | { readonly id: number; readonly result: Diarization | LiveUpdate }
  /** Where it failed, without any voice data. */
  | { readonly id: number; readonly failed: string };
