// Follows the turns of a speaker: when one starts, when it has probably ended, and when it has.
import { chanceAfter, type TurnDetector } from '../../speech/turns/turn-detector.ts';
import type { Final, Interim, SessionEvent, TurnStep, TurnThresholds } from '../transcriber.ts';

export interface TurnsOptions {
  readonly thresholds: TurnThresholds;
  /** Absent: turns end by their timeout only. */
  readonly detector: TurnDetector | undefined;
  readonly emit: (event: SessionEvent) => void;
}

/** A turn of more finals ends at the next pause, so that a turn stays bounded. */
const FINALS_MAX = 200;
/** Only the first start counts, unless finals are late. */
const STARTS_MAX = 1_000;
/** The detector looks at fewer words than these characters hold. */
const TEXT_CHARACTERS = 600;

/** Where the voice stopped, and the sound before it. */
interface Pause {
  readonly atMs: number;
  readonly samples: Float32Array;
}

export class Turns {
  readonly #options: TurnsOptions;
  #index = 0;
  /** Where speech started that no ended turn has, oldest first. */
  #starts: number[] = [];
  #finals: Final[] = [];
  #interim: Interim | null = null;
  #finalMs = 0;
  #heardMs = 0;
  /** Null while somebody speaks. */
  #pause: Pause | null = null;
  #chances: readonly number[] = [];
  /** The pause that the detector is asked about. */
  #asked: Pause | null = null;
  #isAnnounced = false;
  #isEager = false;
  #isOver = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  speechStarted(atMs: number): void {
    if (this.#starts.length < STARTS_MAX) this.#starts.push(atMs);
    this.#pause = null;
    this.#chances = [];
    if (!this.#isEager) return;
    this.#isEager = false;
    this.#emit('resumed');
  }

  /** `samples`: the last second before it. */
  speechEnded(atMs: number, samples: Float32Array): void {
    this.#pause = { atMs, samples };
  }

  interim(interim: Interim): void {
    this.#interim = interim;
    this.#heardMs = Math.max(this.#heardMs, interim.endMs);
    this.#changed();
  }

  final(final: Final): void {
    const { transcript, endMs, endedBy } = final;
    this.#finalMs = endMs;
    this.#heardMs = Math.max(this.#heardMs, endMs);
    this.#interim = null;
    if (transcript.text.trim() !== '') {
      this.#finals.push(final);
      this.#changed();
    }
    const startMs = this.#startMs;
    if (startMs === null || endMs <= startMs) return;
    const pause = this.#pause;
    const isPaused = pause !== null && endMs >= pause.atMs;
    // Noise without words is not a turn.
    const isNoise = isPaused && this.#finals.length === 0;
    if (endedBy === 'flush' || endedBy === 'end' || isNoise) this.#end(isPaused ? pause.atMs : endMs);
    else if (isPaused) void this.#ask(pause);
  }

  silence(untilMs: number): void {
    this.#heardMs = Math.max(this.#heardMs, untilMs);
    this.#check(untilMs);
  }

  close(): void {
    this.#isOver = true;
  }

  /** One question at a time: after a late answer, the newest pause is asked about. */
  async #ask(pause: Pause): Promise<void> {
    const { detector } = this.#options;
    if (this.#asked !== null) return;
    this.#asked = pause;
    const text = this.#finals.map(({ transcript }) => transcript.rawText).join(' ');
    const turnSeconds = Math.max(0, pause.atMs - (this.#startMs ?? pause.atMs)) / 1000;
    const question = { kind: 'turn', samples: pause.samples, text: text.slice(-TEXT_CHARACTERS), turnSeconds } as const;
    // Without an answer the turn ends by its timeout.
    const chances = (await detector?.chances(question).catch(() => null)) ?? null;
    this.#asked = null;
    if (chances === null || this.#isOver || this.#pause === null) return;
    if (this.#pause === pause) {
      this.#chances = chances;
      this.#check(this.#heardMs);
    } else if (this.#finalMs >= this.#pause.atMs && this.#finals.length > 0) await this.#ask(this.#pause);
  }

  #check(untilMs: number): void {
    const { end, eagerEnd, timeoutMs } = this.#options.thresholds;
    if (this.#pause === null || this.#startMs === null || this.#finalMs < this.#pause.atMs) return;
    if (this.#finals.length === 0) return;
    const pauseMs = untilMs - this.#pause.atMs;
    const chance = chanceAfter(this.#chances, pauseMs / 1000);
    if (chance >= end || pauseMs >= timeoutMs || this.#finals.length >= FINALS_MAX) this.#end(this.#pause.atMs);
    else if (eagerEnd !== null && !this.#isEager && chance >= eagerEnd) {
      this.#isEager = true;
      this.#emit('eager_end');
    }
  }

  #changed(): void {
    this.#emit(this.#isAnnounced ? 'updated' : 'started');
    this.#isAnnounced = true;
  }

  get #startMs(): number | null {
    return this.#starts[0] ?? null;
  }

  /** What was heard after `endMs`, before a late final, belongs to the next turn. */
  #end(endMs: number): void {
    this.#emit('ended', endMs);
    this.#index += this.#isAnnounced ? 1 : 0;
    this.#starts = this.#starts.filter((startMs) => startMs >= endMs);
    this.#finals = [];
    this.#interim = null;
    this.#chances = [];
    if (this.#pause !== null && this.#pause.atMs <= endMs) this.#pause = null;
    this.#isAnnounced = false;
    this.#isEager = false;
  }

  #emit(step: TurnStep, endMs?: number): void {
    const pauseMs = this.#pause === null ? 0 : this.#heardMs - this.#pause.atMs;
    const startMs = this.#startMs ?? this.#finals[0]?.startMs ?? 0;
    this.#options.emit({
      type: 'turn',
      step,
      turn: {
        index: this.#index,
        startMs,
        endMs: endMs ?? Math.max(startMs, this.#heardMs),
        finals: [...this.#finals],
        interim: this.#interim,
        endProbability: step === 'resumed' ? 0 : chanceAfter(this.#chances, pauseMs / 1000),
      },
    });
  }
}
