// Converts the events of a session with turn detection into items: one per stretch of speech, or one per turn.
import type { Final, SessionEvent, Turn } from '../../../calls/transcript.ts';
import type { Items } from './items.ts';

export class TurnEvents {
  readonly #items: Items;
  /** Where the session begins in the audio of the connection. */
  readonly #offsetMs: number;
  /** Whether the session detects turns; a pause then does not end an item. */
  readonly #byTurns: boolean;

  constructor(items: Items, offsetMs: number, byTurns: boolean) {
    this.#items = items;
    this.#offsetMs = offsetMs;
    this.#byTurns = byTurns;
  }

  /** Takes every event except finals. Calls `onCommit` when the end of speech commits an item that ends there. */
  take(event: SessionEvent, onCommit: (endMs: number) => void): void {
    switch (event.type) {
      case 'speech_started':
        // Speech that continues without a pause after a commit by the client starts the next item.
        if (!this.#byTurns || !this.#items.isListening) this.#items.speechStarted(this.#offsetMs + event.atMs);
        return;
      case 'speech_ended':
        if (this.#byTurns || !this.#items.isListening) return;
        this.#items.speechStopped(this.#offsetMs + event.atMs);
        onCommit(this.#offsetMs + event.atMs);
        return;
      case 'turn':
        if (event.step === 'ended') this.#endTurn(event.turn, onCommit);
        return;
      case 'flushed':
        this.#items.commit();
        return;
      case 'interim':
        this.#items.interim(event.interim);
    }
  }

  /** Adds a final to its item. Returns false for silence before an item, or without one. */
  final(final: Final): boolean {
    const { startMs } = this.#items;
    if (startMs === undefined || this.#offsetMs + final.endMs <= startMs) return false;
    this.#items.add(final);
    if (this.#byTurns ? final.endedBy === 'flush' : final.endedBy !== 'length')
      this.#items.complete((final.endMs - final.startMs) / 1000);
    return true;
  }

  /** Completes the item of a turn, all of whose finals have arrived. */
  #endTurn({ startMs, endMs }: Turn, onCommit: (endMs: number) => void): void {
    if (!this.#items.isListening || this.#offsetMs + endMs <= this.#items.startMs!) return;
    this.#items.speechStopped(this.#offsetMs + endMs);
    onCommit(this.#offsetMs + endMs);
    this.#items.complete((endMs - startMs) / 1000);
  }
}
