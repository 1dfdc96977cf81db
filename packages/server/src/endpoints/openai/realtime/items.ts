// The items of a realtime session: each is one turn, told of when it begins and ends, with its text at last.
import { ulid } from 'ulid';
import type { LiveFinal, LiveInterim } from '../../../calls/live-events.ts';

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}']/gu, '');

interface Item {
  readonly id: string;
  /** Words that have been sent as deltas. */
  readonly sent: string[];
  readonly texts: string[];
  startMs: number;
  endMs: number;
}

export class Items {
  readonly #send: (event: object) => void;
  /** Turns that have begun and are not completed, oldest first: finals are told in their order. */
  readonly #items: Item[] = [];
  #previousId: string | null = null;

  constructor(send: (event: object) => void) {
    this.#send = send;
  }

  speechStarted(atMs: number): void {
    const item = this.#begin(atMs);
    this.#send({ type: 'input_audio_buffer.speech_started', audio_start_ms: Math.round(atMs), item_id: item.id });
  }

  speechStopped(atMs: number): void {
    const item = this.#items.at(-1);
    if (!item) return;
    this.#send({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: Math.round(atMs), item_id: item.id });
  }

  /** Words that stay are sent at once; a delta is never taken back. */
  interim({ words, committed }: LiveInterim): void {
    const item = this.#items.at(-1);
    // What a long turn has had finals for is not sent again.
    if (!item || item.texts.length > 0) return;
    this.#sendDelta(
      item,
      words.slice(item.sent.length, committed).map(({ text }) => text.trim()),
    );
  }

  /** Text of the oldest turn; there may be more to come. */
  add({ transcript, endMs }: LiveFinal): void {
    const item = this.#items[0] ?? this.#begin(endMs);
    item.endMs = endMs;
    if (transcript.text.trim() !== '') item.texts.push(transcript.text.trim());
  }

  get isOpen(): boolean {
    return this.#items.length > 0;
  }

  /** The oldest turn has ended. Its text follows with `complete`. */
  commit(atMs: number): Item {
    const item = this.#items.shift() ?? this.#newItem(atMs);
    const previous = this.#previousId;
    this.#previousId = item.id;
    this.#send({ type: 'input_audio_buffer.committed', item_id: item.id, previous_item_id: previous });
    const shown = {
      id: item.id,
      object: 'realtime.item',
      type: 'message',
      role: 'user',
      status: 'completed',
      content: [{ type: 'input_audio', transcript: null }],
    };
    for (const type of ['conversation.item.added', 'conversation.item.created'])
      this.#send({ type, item: shown, previous_item_id: previous });
    return item;
  }

  complete(item: Item, audioSeconds: number): void {
    const transcript = item.texts.join(' ');
    const words = transcript.split(/\s+/u).filter((word) => word !== '');
    const goesOn = item.sent.every((word, at) => bare(word) === bare(words[at] ?? ''));
    if (goesOn) this.#sendDelta(item, words.slice(item.sent.length));
    this.#send({
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: item.id,
      content_index: 0,
      transcript,
      usage: { type: 'duration', seconds: Math.round(audioSeconds * 1000) / 1000 },
    });
  }

  #begin(startMs: number): Item {
    const item = this.#newItem(startMs);
    this.#items.push(item);
    return item;
  }

  #newItem(startMs: number): Item {
    return { id: `item_${ulid()}`, sent: [], texts: [], startMs, endMs: startMs };
  }

  #sendDelta(item: Item, words: readonly string[]): void {
    if (words.length === 0) return;
    const delta = `${item.sent.length > 0 ? ' ' : ''}${words.join(' ')}`;
    item.sent.push(...words);
    this.#send({
      type: 'conversation.item.input_audio_transcription.delta',
      item_id: item.id,
      content_index: 0,
      delta,
    });
  }
}
