// Decides when to send UtteranceEnd: after a silence of a given length, if its words are final and nobody speaks again.
import type { Final } from '../../../calls/transcript.ts';

export class UtteranceEnds {
  readonly #gapMs: number;
  readonly #send: (lastWordEndMs: number) => void;
  #startedMs = Number.NEGATIVE_INFINITY;
  /** Where speech ended; null while somebody speaks. */
  #endedMs: number | null = 0;
  #finalMs = 0;
  #lastWordEndMs: number | null = null;
  #silentUntilMs = 0;

  constructor(gapMs: number, send: (lastWordEndMs: number) => void) {
    this.#gapMs = gapMs;
    this.#send = send;
  }

  /** The utterance continues, even if its end was due and recognition was only too late to report it. */
  speechStarted(atMs: number): void {
    this.#startedMs = atMs;
    this.#endedMs = null;
    this.#lastWordEndMs = null;
    this.#silentUntilMs = 0;
  }

  speechEnded(atMs: number): void {
    this.#endedMs = atMs;
    this.#check();
  }

  silence(untilMs: number): void {
    this.#silentUntilMs = untilMs;
    this.#check();
  }

  final({ endMs, transcript }: Final): void {
    this.#finalMs = endMs;
    const lastWord = transcript.words.at(-1);
    // Words from before the last start of speech do not end an utterance.
    if (lastWord && endMs > this.#startedMs) this.#lastWordEndMs = lastWord.endMs;
    this.#check();
  }

  #check(): void {
    if (this.#lastWordEndMs === null || this.#endedMs === null || this.#finalMs < this.#endedMs) return;
    if (this.#silentUntilMs - this.#lastWordEndMs < this.#gapMs) return;
    const lastWordEndMs = this.#lastWordEndMs;
    this.#lastWordEndMs = null;
    this.#send(lastWordEndMs);
  }
}
