// Turns the session events of one channel into messages, in an order that clients can act on.
import type { SessionEvent } from '../../../calls/transcript.ts';
import { secondsOf } from '../../../lib/rounding.ts';
import { finalResult, interimResult, type ListenFacts, speakersChanged } from './messages.ts';
import { UtteranceEnds } from './utterance-end.ts';

export class ChannelEvents {
  readonly #facts: ListenFacts;
  readonly #channel: number;
  readonly #send: (message: object) => void;
  readonly #ends: UtteranceEnds | null;
  #startedMs = Number.NEGATIVE_INFINITY;

  constructor(facts: ListenFacts, channel: number, send: (message: object) => void) {
    this.#facts = facts;
    this.#channel = channel;
    this.#send = send;
    const { utteranceEndMs } = facts.request;
    const end = (lastWordEndMs: number) =>
      send({ type: 'UtteranceEnd', channel: this.#index, last_word_end: secondsOf(lastWordEndMs) });
    this.#ends = utteranceEndMs === null ? null : new UtteranceEnds(utteranceEndMs, end);
  }

  take(event: SessionEvent): void {
    switch (event.type) {
      case 'speech_started':
        this.#startedMs = event.atMs;
        this.#ends?.speechStarted(event.atMs);
        if (this.#facts.request.vadEvents && !event.isContinued)
          this.#send({ type: 'SpeechStarted', channel: this.#index, timestamp: secondsOf(event.atMs) });
        return;
      case 'speech_ended':
        this.#ends?.speechEnded(event.atMs);
        return;
      case 'silence':
        this.#ends?.silence(event.untilMs);
        return;
      case 'interim':
        this.#send(interimResult(this.#facts, this.#channel, event.interim));
        return;
      case 'final': {
        // If speech resumed before the text of the pause was ready, the utterance continues.
        const isOver = event.final.endMs > this.#startedMs;
        this.#send(finalResult(this.#facts, this.#channel, event.final, isOver));
        this.#ends?.final(event.final);
        return;
      }
      case 'speakers_changed':
        if (this.#facts.request.speakerChanges) this.#send(speakersChanged(this.#facts, this.#channel, event.changed));
    }
  }

  get #index(): readonly [number, number] {
    return [this.#channel, this.#facts.request.channels];
  }
}
