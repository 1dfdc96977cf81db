// Runs Whisper's encoder. Whisper needs silence after the speech to find its end, but the encoding of silence hardly
// depends on the speech: silence is encoded once, alone, and appended to the audio of every window.
import '../../lib/process/no-telemetry.ts';
import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { joinedPositions, positionsOfAll, type Tensors } from '../acoustic/token-cache.ts';
import type { WhisperTokenizer } from './tokenizer.ts';

/** Longer windows are encoded whole: keeping more silence would cost more memory than it saves time. */
export const SILENCE_FRAMES = 1000;
/** Feature value of silence. With speech it is -1.2 to -0.4, by the loudest sound; a closer value gains nothing. */
const SILENCE_LEVEL = -0.5;
/** The encoder halves the frames of the spectrogram. */
const FRAMES_PER_POSITION = 2;

interface EncodedSilence {
  /** Keys and values for the encoder's layers. */
  readonly past: Tensors;
  /** Keys and values for the decoder. */
  readonly audio: Tensors;
}

/** Keys and values of the audio for the decoder. `frames` have features; silence follows, up to `framesWithSilence`. */
type Encode = (features: Float32Array, frames: number, framesWithSilence: number) => Promise<Tensors>;

export const makeEncoder = (
  session: InferenceSession,
  { heads, headSize, melBins }: Pick<WhisperTokenizer, 'heads' | 'headSize' | 'melBins'>,
): Encode => {
  const audioNames = session.outputNames.filter((name) => name.startsWith('audio.'));
  const pastNames = session.inputNames.filter((name) => name.startsWith('past.'));
  const presentOf = (name: string): string => name.replace('past', 'present');
  const empty = new Tensor('float32', new Float32Array(0), [1, heads, 0, headSize]);
  const nothing = Object.fromEntries(pastNames.map((name) => [name, empty]));
  const run = async (features: Float32Array, frames: number, past: Tensors, outputs: readonly string[]) => {
    const input = new Tensor('float32', features, [1, melBins, frames]);
    return (await session.run({ features: input, ...past }, outputs)) as Tensors;
  };

  const encodeSilence = async (): Promise<EncodedSilence> => {
    const features = new Float32Array(melBins * SILENCE_FRAMES).fill(SILENCE_LEVEL);
    const outputs = await run(features, SILENCE_FRAMES, nothing, [...audioNames, ...pastNames.map(presentOf)]);
    return {
      past: Object.fromEntries(pastNames.map((name) => [name, outputs[presentOf(name)]!])),
      audio: Object.fromEntries(audioNames.map((name) => [name, outputs[name]!])),
    };
  };
  let silence: Promise<EncodedSilence> | null = null;

  return async (features, frames, framesWithSilence) => {
    if (framesWithSilence <= frames) return run(features, frames, nothing, audioNames);
    silence ??= encodeSilence();
    const { past, audio } = await silence;
    const [from, to] = [frames / FRAMES_PER_POSITION, framesWithSilence / FRAMES_PER_POSITION];
    const heard = await run(features, frames, positionsOfAll(past, from, to), audioNames);
    return joinedPositions(heard, positionsOfAll(audio, from, to));
  };
};
