// Follows the turns of a speaker: when one starts, when it has probably ended, and when it has ended.
import { chanceAfter, type TurnDetector } from '../../speech/turns/turn-detector.ts';
import type { Final, Interim, SessionEvent, TurnStep, TurnThresholds } from '../transcriber.ts';

export interface TurnsOptions {
  readonly thresholds: TurnThresholds;
  /** If absent, turns end only by their timeout. */
  readonly detector: TurnDetector | undefined;
  readonly emit: (event: SessionEvent) => void;
}

/** A turn with this many finals ends at the next pause, so that turns stay bounded. */
const FINALS_MAX = 200;
/** Bounds the starts of speech. Only the first one matters, unless finals are late. */
const STARTS_MAX = 1_000;
/** Length of the text for the detector, which looks at fewer words than this holds. */
const TEXT_CHARACTERS = 600;

/** Where the voice stopped, and the sound before it. */
interface Pause {
  readonly atMs: number;
  readonly samples: Float32Array;
}

export class Turns {
  readonly #options: TurnsOptions;
  #index = 0;
  /** Starts of speech that are not part of an ended turn, oldest first. */
  #starts: number[] = [];
  #finals: Final[] = [];
  #interim: Interim | null = null;
  #finalMs = 0;
  #heardMs = 0;
  /** Null while somebody speaks. */
  #pause: Pause | null = null;
  #chances: readonly number[] = [];
  /** The pause that the detector is judging. */
  #asked: Pause | null = null;
  /** The last question: where its pause began, and the answer. */
  #question: { readonly atMs: number; readonly chances: Promise<readonly number[] | null> } | undefined;
  #hasStarted = false;
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

  /** `samples`: the last second before the pause. */
  speechEnded(atMs: number, samples: Float32Array): void {
    this.#pause = { atMs, samples };
  }

  interim(interim: Interim): void {
    this.#interim = interim;
    this.#heardMs = Math.max(this.#heardMs, interim.endMs);
    // Redaction may conceal the first words.
    if (interim.words.length > 0 || this.#hasStarted) this.#changed();
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

  /** For each length of a pause, the probability that the turn ends in it. `said`: words that no final has yet. */
  chances(pause: Pause, said = ''): Promise<readonly number[] | null> {
    const text = [...this.#finals.map(({ transcript }) => transcript.rawText), said].join(' ').trim();
    const turnSeconds = Math.max(0, pause.atMs - (this.#startMs ?? pause.atMs)) / 1000;
    const question = { kind: 'turn', samples: pause.samples, text: text.slice(-TEXT_CHARACTERS), turnSeconds } as const;
    const chances = this.#options.detector?.chances(question).catch(() => null) ?? Promise.resolve(null);
    this.#question = { atMs: pause.atMs, chances };
    return chances;
  }

  /** Whether the turn ends in a pause of this length, or ends eagerly. */
  isEnd(chances: readonly number[], pauseMs: number): boolean {
    const { end, eagerEnd } = this.#options.thresholds;
    return chanceAfter(chances, pauseMs / 1000) >= Math.min(end, eagerEnd ?? end);
  }

  /** Asks about one pause at a time; after a late answer, asks about the newest pause. */
  async #ask(pause: Pause): Promise<void> {
    if (this.#asked !== null) return;
    this.#asked = pause;
    // Answered already if the utterance was recognised before its end. Without an answer, the turn ends by its timeout.
    const answered = this.#question?.atMs === pause.atMs ? await this.#question.chances : null;
    const chances = answered ?? (await this.chances(pause));
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
    const step = this.#hasStarted ? 'updated' : 'started';
    this.#hasStarted = true;
    this.#emit(step);
  }

  get #startMs(): number | null {
    return this.#starts[0] ?? null;
  }

  /** What was heard after `endMs`, before a late final, belongs to the next turn. */
  #end(endMs: number): void {
    this.#emit('ended', endMs);
    this.#index += this.#hasStarted ? 1 : 0;
    this.#starts = this.#starts.filter((startMs) => startMs >= endMs);
    this.#finals = [];
    this.#interim = null;
    this.#chances = [];
    if (this.#pause !== null && this.#pause.atMs <= endMs) this.#pause = null;
    this.#hasStarted = false;
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
        hasStarted: this.#hasStarted,
      },
    });
  }
}
