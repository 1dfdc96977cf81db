// Decides when to send UtteranceEnd: when a given time has passed since the last final word without another.

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
    // More words will follow; the gap counts from them.
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
