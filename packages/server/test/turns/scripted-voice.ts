// Audio whose samples are the speech probabilities of its frames, and an engine that recognises it on request.
import { joinSamples } from '../../src/audio/join-samples.ts';
import {
  type Recognition,
  type SpeechWindow,
  VOICE_FRAME_SAMPLES,
  type VoiceProbe,
} from '../../src/speech/recogniser.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import type { TurnDetector } from '../../src/speech/turns/turn-detector.ts';

export const FRAME_MS = 32;
/** Minimum probability of a frame with a voice. */
export const VOICE = 0.2;
const WORD_FRAMES = 8;
const TURN_CHANCES = [0.1, 0.9, 0.5];

export const audioOf = (probabilities: readonly number[]): Float32Array => {
  const samples = new Float32Array(probabilities.length * VOICE_FRAME_SAMPLES);
  probabilities.forEach((probability, frame) => {
    samples.fill(probability, frame * VOICE_FRAME_SAMPLES, (frame + 1) * VOICE_FRAME_SAMPLES);
  });
  return samples;
};

const probabilitiesOf = (samples: Float32Array): Float32Array =>
  Float32Array.from(
    { length: Math.floor(samples.length / VOICE_FRAME_SAMPLES) },
    (_, frame) => samples[frame * VOICE_FRAME_SAMPLES]!,
  );

class ScriptedProbe implements VoiceProbe {
  #rest = new Float32Array();

  async push(samples: Float32Array): Promise<Float32Array> {
    const all = joinSamples([this.#rest, samples]);
    this.#rest = all.slice(all.length - (all.length % VOICE_FRAME_SAMPLES));
    return probabilitiesOf(all);
  }

  async flush(): Promise<Float32Array> {
    return new Float32Array();
  }

  close(): void {}
}

/** A final with a multiple of so many voiced frames is found to be noise, whatever its interims had. */
const NOISE_FRAMES = 7;

/** A word for every 256 ms with a voice, with times that reach into the pauses. */
const recognise = ({ samples, isInterim }: SpeechWindow, recognition: Recognition): Recognition => {
  const frames = [...probabilitiesOf(samples)].flatMap((probability, frame) => (probability >= VOICE ? [frame] : []));
  if (!isInterim && frames.length % NOISE_FRAMES === 0) return { ...recognition, text: '', words: [] };
  const starts = frames.filter((_, index) => index % WORD_FRAMES === 0);
  const words = starts.map((frame, index) => ({
    text: `word${index}`,
    startMs: index === 0 ? 0 : frame * FRAME_MS,
    endMs: (starts[index + 1] ?? frames.at(-1)! + 20) * FRAME_MS,
    confidence: 0.9,
  }));
  return { ...recognition, text: words.map(({ text }) => text).join(' '), words };
};

export class ScriptedVoices extends ScriptedEngine {
  readonly #held: (() => void)[] = [];
  #isFree = false;

  constructor() {
    super({
      slots: 2,
      text: () => 'word',
      answer: recognise,
      before: () => this.#turn(),
    });
  }

  /** The probability of an end of turn depends on the number of words. */
  override readonly turns: TurnDetector = {
    chances: async ({ text }) => {
      await this.#turn();
      return [TURN_CHANCES[text.split(' ').length % TURN_CHANCES.length]!];
    },
  };

  /** Answers this many of the waiting windows and questions. */
  answer(count: number): void {
    for (const resolve of this.#held.splice(0, count)) resolve();
  }

  answerAll(): void {
    this.#isFree = true;
    this.answer(this.#held.length);
  }

  #turn(): Promise<void> {
    return new Promise<void>((resolve) => (this.#isFree ? resolve() : this.#held.push(resolve)));
  }

  override openVoiceProbe(): VoiceProbe {
    return new ScriptedProbe();
  }
}
