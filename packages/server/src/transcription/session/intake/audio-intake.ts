// Buffers the samples of a session, judges them for voice in order, and applies back-pressure.
import { samplesToSeconds } from '../../../audio/pcm.ts';
import { type Deferred, deferred } from '../../../lib/time/deferred.ts';
import type { VoiceProbe } from '../../../speech/recogniser.ts';
import type { SampleBuffer } from '../../recognition/sample-buffer.ts';
import type { WaitingAudio } from './waiting-audio.ts';

export interface AudioIntakeOptions {
  readonly buffer: SampleBuffer;
  readonly probe: VoiceProbe;
  readonly waiting: WaitingAudio;
  /** The name under which waiting audio is counted. */
  readonly waitingName: string;
  /** Limit for everything under that name. */
  readonly waitingSecondsMax: number;
  /** Samples that may wait before `write` applies back-pressure. */
  readonly pendingSamplesMax: number;
  /** Samples that have been judged and wait for a recogniser. */
  readonly unrecognisedSamples: () => number;
  /** Called with the speech probabilities and the samples of each stretch that was judged. */
  readonly onJudged: (probabilities: Float32Array, stretch: Float32Array) => void;
  readonly onFailure: (failure: unknown) => void;
}

export class AudioIntake {
  readonly #options: AudioIntakeOptions;
  #judgedSample = 0;
  #judging: Promise<void> | undefined;
  #room: Deferred<void> | undefined;
  #waitingSeconds = 0;
  #isClosed = false;

  constructor(options: AudioIntakeOptions) {
    this.#options = options;
  }

  /** Everything before this sample has been judged. */
  get judgedSample(): number {
    return this.#judgedSample;
  }

  get isCaughtUp(): boolean {
    return this.#judgedSample === this.#options.buffer.endSample;
  }

  /** Resolves when more samples may be written, or when the intake is closed. */
  async write(samples: Float32Array): Promise<void> {
    this.#options.buffer.append(samples);
    this.#judge();
    while (!this.#isClosed && !this.#hasRoom()) {
      this.#room ??= deferred();
      await this.#room.promise;
    }
  }

  /** Counts what still waits, and lets writers continue if there is room. */
  makeRoom(): void {
    if (this.#isClosed || !this.#hasRoom()) return;
    this.#room?.resolve();
    this.#room = undefined;
  }

  /** Resolves when everything written has been judged. */
  async judged(): Promise<void> {
    while (this.#judging) await this.#judging;
  }

  /** Judges everything; resolves to the probabilities of the last, partial frame. */
  async end(): Promise<Float32Array> {
    await this.judged();
    return this.#options.probe.flush();
  }

  /** Stops judging; pending writes resolve. */
  close(): void {
    this.#isClosed = true;
    this.#countWaiting(0);
    this.#room?.resolve();
    this.#options.probe.close();
  }

  #hasRoom(): boolean {
    const { buffer, unrecognisedSamples, pendingSamplesMax, waiting, waitingName, waitingSecondsMax } = this.#options;
    const samples = buffer.endSample - this.#judgedSample + unrecognisedSamples();
    const seconds = samplesToSeconds(samples);
    this.#countWaiting(seconds);
    return samples <= pendingSamplesMax && waiting.mayGrow(waitingName, seconds, waitingSecondsMax);
  }

  #countWaiting(seconds: number): void {
    this.#options.waiting.change(this.#options.waitingName, seconds - this.#waitingSeconds);
    this.#waitingSeconds = seconds;
  }

  /** Judges what has arrived, a few milliseconds of work at a time. */
  #judge(): void {
    this.#judging ??= this.#judgePending()
      .catch(this.#options.onFailure)
      .then(() => {
        this.#judging = undefined;
        // Samples may have arrived since the last check.
        if (!this.#isClosed && !this.isCaughtUp) this.#judge();
      });
  }

  async #judgePending(): Promise<void> {
    const { buffer, probe, onJudged } = this.#options;
    while (!this.#isClosed && !this.isCaughtUp) {
      const stretch = buffer.stretchFrom(this.#judgedSample);
      const probabilities = await probe.push(stretch);
      if (this.#isClosed) return;
      this.#judgedSample += stretch.length;
      onJudged(probabilities, stretch);
      this.makeRoom();
    }
  }
}
