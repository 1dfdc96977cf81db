// When to send UtteranceEnd: so long after the last final word without another, however loud the room is.

export class UtteranceEnds {
  readonly #gapMs: number;
  readonly #send: (lastWordEndMs: number) => void;
  #lastWordEndMs: number | null = null;
  #silentUntilMs = 0;

  constructor(gapMs: number, send: (lastWordEndMs: number) => void) {
    this.#gapMs = gapMs;
    this.#send = send;
  }

  speechStarted(): void {
    // Words are about to come: the gap is counted from those.
    this.#silentUntilMs = 0;
  }

  silence(untilMs: number): void {
    this.#silentUntilMs = untilMs;
    this.#check();
  }

  finalWords(lastWordEndMs: number): void {
    this.#lastWordEndMs = lastWordEndMs;
    this.#check();
  }

  #check(): void {
    if (this.#lastWordEndMs === null || this.#silentUntilMs - this.#lastWordEndMs < this.#gapMs) return;
    const lastWordEndMs = this.#lastWordEndMs;
    this.#lastWordEndMs = null;
    this.#send(lastWordEndMs);
  }
}
