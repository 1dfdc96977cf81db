// One input of a realtime session: the audio of one configuration. Its text follows that of earlier inputs.
import type { StreamAudio } from '../../../calls/streams/stream-audio.ts';
import type { Final, SessionEvent } from '../../../calls/transcript.ts';
import type { Items } from './items.ts';
import { TurnEvents } from './turn-events.ts';

export interface RealtimeInputOptions {
  readonly items: Items;
  /** Where it begins in the audio of the connection. */
  readonly offsetMs: number;
  /** `manual`: the client commits. */
  readonly turns: 'manual' | 'pauses' | 'turns';
  readonly open: (onEvent: (event: SessionEvent) => void) => StreamAudio;
  readonly onFinal: (final: Final) => void;
  /** The end of speech committed an item, which ends there in the audio of the connection. */
  readonly onCommit: (endMs: number) => void;
  /** Settles when earlier inputs are done; undefined when they are. */
  readonly earlier: Promise<void> | undefined;
}

/** What the final of a flush does: completes an item of this length, or nothing. */
type Flush = { readonly itemSeconds: number | null };

export class RealtimeInput {
  readonly #options: RealtimeInputOptions;
  readonly #turns: TurnEvents | null;
  readonly #audio: StreamAudio;
  /** Flushes whose final has not arrived, oldest first. */
  readonly #flushes: Flush[] = [];
  /** Number of flushes whose `flushed` event has not arrived. */
  #unheard = 0;
  /** Events held back until earlier inputs are done, so that their items get no text of this one. */
  #held: SessionEvent[] | null = null;
  #state: 'open' | 'clearing' | 'cleared' = 'open';

  constructor(options: RealtimeInputOptions) {
    const { items, offsetMs, turns, earlier } = options;
    this.#options = options;
    this.#turns = turns === 'manual' ? null : new TurnEvents(items, offsetMs, turns === 'turns');
    if (earlier) {
      this.#held = [];
      void earlier.then(() => this.#release());
    }
    this.#audio = options.open((event) => (this.#held ? this.#held.push(event) : this.#follow(event)));
  }

  write(audio: Buffer): void {
    this.#audio.write(audio);
  }

  /** Ends the current utterance. With `itemSeconds`, its final completes an item. Resolves after the final. */
  flush(itemSeconds: number | null): Promise<void> {
    this.#flushes.push({ itemSeconds });
    this.#unheard += 1;
    return this.#audio.flush();
  }

  /** Discards audio that was not committed. */
  clear(): void {
    if (this.#state === 'cleared') return;
    this.#state = 'clearing';
    this.#clearAfterCommits();
  }

  get detectsTurns(): boolean {
    return this.#turns !== null;
  }

  /** Whether finals are still needed. */
  get isAwaited(): boolean {
    return this.#flushes.length > 0 || (this.#turns !== null && this.#options.items.isOpen);
  }

  cancel(): void {
    this.#audio.cancel();
  }

  #release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const event of held) this.#follow(event);
  }

  #clearAfterCommits(): void {
    if (this.#unheardFlushes.some(({ itemSeconds }) => itemSeconds !== null)) return;
    this.#state = 'cleared';
    if (this.#held === null) this.#options.items.dropOpen();
  }

  get #isCommitDue(): boolean {
    return this.#flushes.some(({ itemSeconds }) => itemSeconds !== null);
  }

  /** Flushes whose `flushed` event has not arrived, oldest first. */
  get #unheardFlushes(): readonly Flush[] {
    return this.#flushes.slice(this.#flushes.length - this.#unheard);
  }

  #follow(event: SessionEvent): void {
    const { onFinal, onCommit } = this.#options;
    if (event.type === 'final') {
      onFinal(event.final);
      this.#final(event.final);
    } else if (this.#state !== 'cleared') this.#turns?.take(event, onCommit);
    if (event.type !== 'flushed') return;
    // With turn detection, a flush has committed the open item, if there is one.
    if (!this.#turns && this.#unheardFlushes[0]?.itemSeconds != null) this.#options.items.commitAudio();
    this.#unheard -= 1;
    if (this.#state === 'clearing') this.#clearAfterCommits();
  }

  #final(final: Final): void {
    const { items } = this.#options;
    const isLost = this.#state === 'cleared' && !this.#isCommitDue;
    const { itemSeconds } = (final.endedBy === 'flush' ? this.#flushes.shift() : null) ?? { itemSeconds: null };
    if (this.#turns) {
      const isTaken = this.#turns.final(final);
      // Nothing was said, but the commit must be answered.
      if (itemSeconds !== null && !isTaken && !items.isOpen) items.complete(itemSeconds);
    } else if (!isLost) {
      if (final.transcript.text.trim() !== '' || items.isOpen) items.add(final);
      if (itemSeconds !== null) items.complete(itemSeconds);
    }
  }
}
