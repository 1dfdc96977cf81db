// Runs Whisper's encoder. Whisper needs silence after the speech to find its end, but the encoding of silence hardly
// depends on the speech: silence is encoded once, alone, and follows the audio of every window.
import '../../lib/process/no-telemetry.ts';
import { type InferenceSession, Tensor } from 'onnxruntime-node';
import type { Tensors } from '../acoustic/token-cache.ts';
import { SILENCE_PREFIX, SILENCE_RANGE } from './graph/encoder-graph.ts';

/** Longer windows are encoded whole: keeping more silence would cost more memory than it saves time. */
export const SILENCE_FRAMES = 1000;
/** Feature value of silence. With speech it is -1.2 to -0.4, by the loudest sound; a closer value gains nothing. */
const SILENCE_LEVEL = -0.5;
/** The encoder halves the frames of the spectrogram. */
const FRAMES_PER_POSITION = 2;

/** Keys and values of the audio for the decoder. `frames` have features; silence follows, up to `framesWithSilence`. */
type Encode = (features: Float32Array, frames: number, framesWithSilence: number) => Promise<Tensors>;

export const makeEncoder = (session: InferenceSession, melBins: number): Encode => {
  const audioNames = session.outputNames.filter((name) => name.startsWith('audio.'));
  const nothing = noSilence(session);
  const run = async (features: Float32Array, frames: number, silence: Tensors, outputs: readonly string[]) => {
    const input = new Tensor('float32', features, [1, melBins, frames]);
    return (await session.run({ features: input, ...silence }, outputs)) as Tensors;
  };

  const encodeSilence = async (): Promise<Tensors> => {
    const features = new Float32Array(melBins * SILENCE_FRAMES).fill(SILENCE_LEVEL);
    const inputs = session.inputNames.filter((name) => name.startsWith(SILENCE_PREFIX));
    const outputOf = (name: string): string => name.slice(SILENCE_PREFIX.length);
    const outputs = await run(features, SILENCE_FRAMES, nothing, inputs.map(outputOf));
    return Object.fromEntries(inputs.map((name) => [name, outputs[outputOf(name)]!]));
  };
  let silence: Promise<Tensors> | null = null;

  return async (features, frames, framesWithSilence) => {
    if (framesWithSilence <= frames) return run(features, frames, nothing, audioNames);
    silence ??= encodeSilence();
    const range = rangeOf(frames / FRAMES_PER_POSITION, framesWithSilence / FRAMES_PER_POSITION);
    return run(features, frames, { ...(await silence), ...range }, audioNames);
  };
};

/** Feeds of the encoder's graph for a window that no silence follows. */
export const noSilence = ({ inputMetadata }: InferenceSession): Tensors => {
  const empty = inputMetadata.flatMap((input) =>
    input.isTensor && input.name.startsWith(SILENCE_PREFIX)
      ? [[input.name, new Tensor('float32', new Float32Array(0), input.shape.map(lengthOf))] as const]
      : [],
  );
  return { ...Object.fromEntries(empty), ...rangeOf(0, 0) };
};

/** The only variable dimension is the number of positions. */
const lengthOf = (dim: number | string): number => (typeof dim === 'number' ? dim : 0);

const rangeOf = (...positions: readonly [number, number]): Tensors =>
  Object.fromEntries(
    SILENCE_RANGE.map((name, i) => [name, new Tensor('int64', BigInt64Array.of(BigInt(positions[i]!)), [1])]),
  );
