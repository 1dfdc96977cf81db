// The voice probe of one session: splits samples into frames, keeps the model state, and sends one batch at a time.
import { VOICE_FRAME_SAMPLES, type VoiceProbe } from '../recogniser.ts';
import type { VadRequest, VadResult } from './silero-model.ts';
import { CONTEXT_SAMPLES } from './stft-frames.ts';

/** Frames per request: about 32 s of audio, a few hundredths of a second of work, so that no stream waits long. */
const FRAMES_MAX = 1_000;

type Ask = (request: VadRequest) => Promise<VadResult>;

interface Push {
  /** Frames that this push completes. */
  readonly frames: number;
  readonly probabilities: Float32Array;
  filled: number;
  readonly resolve: (probabilities: Float32Array) => void;
  readonly reject: (cause: Error) => void;
}

export class QueuedVoiceProbe implements VoiceProbe {
  readonly #ask: Ask;
  #state: Float32Array;
  #context = new Float32Array(CONTEXT_SAMPLES);
  /** Samples waiting for the model, in the chunks they arrived in. */
  #pieces: Float32Array[] = [];
  #pieceSamples = 0;
  readonly #pushes: Push[] = [];
  #isAsking = false;
  #failure: Error | null = null;

  constructor(ask: Ask, stateSize: number) {
    this.#ask = ask;
    this.#state = new Float32Array(stateSize);
  }

  push(samples: Float32Array): Promise<Float32Array> {
    if (this.#failure) return Promise.reject(this.#failure);
    const framesBefore = Math.floor(this.#pieceSamples / VOICE_FRAME_SAMPLES);
    if (samples.length > 0) this.#pieces.push(samples);
    this.#pieceSamples += samples.length;
    const frames = Math.floor(this.#pieceSamples / VOICE_FRAME_SAMPLES) - framesBefore;
    if (frames === 0) return Promise.resolve(new Float32Array());
    return new Promise((resolve, reject) => {
      this.#pushes.push({ frames, probabilities: new Float32Array(frames), filled: 0, resolve, reject });
      void this.#work();
    });
  }

  flush(): Promise<Float32Array> {
    const partial = this.#pieceSamples % VOICE_FRAME_SAMPLES;
    return this.push(new Float32Array(partial === 0 ? 0 : VOICE_FRAME_SAMPLES - partial));
  }

  close(): void {
    this.#fail(new Error('the voice probe was closed'));
  }

  /** Sends collected samples until none are left. */
  async #work(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      while (this.#pushes.length > 0) {
        const samples = this.#takeFrames();
        const { probabilities, state } = await this.#ask({ samples, state: this.#state });
        if (this.#failure) return;
        this.#state = state;
        this.#context = samples.slice(-CONTEXT_SAMPLES);
        this.#deal(probabilities);
      }
    } catch (cause) {
      this.#fail(cause instanceof Error ? cause : new Error(String(cause)));
    } finally {
      this.#isAsking = false;
    }
  }

  /** The context and up to FRAMES_MAX whole frames. */
  #takeFrames(): Float32Array {
    const frames = Math.min(FRAMES_MAX, Math.floor(this.#pieceSamples / VOICE_FRAME_SAMPLES));
    const taken = new Float32Array(CONTEXT_SAMPLES + frames * VOICE_FRAME_SAMPLES);
    taken.set(this.#context);
    let at = CONTEXT_SAMPLES;
    let used = 0;
    for (const piece of this.#pieces) {
      if (at === taken.length) break;
      const part = piece.subarray(0, taken.length - at);
      taken.set(part, at);
      at += part.length;
      if (part.length === piece.length) used++;
      else this.#pieces[used] = piece.subarray(part.length);
    }
    this.#pieces.splice(0, used);
    this.#pieceSamples -= frames * VOICE_FRAME_SAMPLES;
    return taken;
  }

  #deal(probabilities: Float32Array): void {
    for (let at = 0; at < probabilities.length; ) {
      const push = this.#pushes[0];
      if (!push) return;
      const part = probabilities.subarray(at, at + push.frames - push.filled);
      push.probabilities.set(part, push.filled);
      push.filled += part.length;
      at += part.length;
      if (push.filled === push.frames) {
        this.#pushes.shift();
        push.resolve(push.probabilities);
      }
    }
  }

  #fail(cause: Error): void {
    this.#failure ??= cause;
    this.#pieces = [];
    for (const push of this.#pushes.splice(0)) push.reject(cause);
  }
}
