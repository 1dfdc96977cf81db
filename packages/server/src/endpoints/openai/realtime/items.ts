// The conversation items of a realtime session: announced when speech starts, committed, then completed with their text.
import { ulid } from 'ulid';
import type { Final, Interim } from '../../../calls/transcript.ts';

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}']/gu, '');

interface Item {
  readonly id: string;
  /** Words sent as deltas. */
  readonly sentWords: string[];
  readonly texts: string[];
}

export class Items {
  readonly #send: (event: object) => void;
  /** Items begun and not yet committed, oldest first. Finals arrive in the same order. */
  readonly #open: Item[] = [];
  #previousId: string | null = null;

  constructor(send: (event: object) => void) {
    this.#send = send;
  }

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  speechStarted(atMs: number): void {
    const { id } = this.#begin();
    this.#send({ type: 'input_audio_buffer.speech_started', audio_start_ms: Math.round(atMs), item_id: id });
  }

  speechStopped(atMs: number): void {
    const item = this.#open.at(-1);
    if (!item) return;
    this.#send({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: Math.round(atMs), item_id: item.id });
  }

  /** Sends words that later interims keep. A delta is never taken back. */
  interim({ words, committed }: Interim): void {
    const item = this.#open.at(-1);
    // Once a long item has a final, its interims start after that final.
    if (!item || item.texts.length > 0) return;
    this.#sendDelta(
      item,
      words.slice(item.sentWords.length, committed).map(({ text }) => text.trim()),
    );
  }

  /** Adds a final to the oldest item, which may get more of them. */
  add({ transcript }: Final): void {
    const item = this.#open[0] ?? this.#begin();
    if (transcript.text.trim() !== '') item.texts.push(transcript.text.trim());
  }

  /** Commits the oldest item. `complete` follows with its text. */
  commit(): Item {
    const item = this.#open.shift() ?? newItem();
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
    const deltasHold = item.sentWords.every((word, at) => bare(word) === bare(words[at] ?? ''));
    if (deltasHold) this.#sendDelta(item, words.slice(item.sentWords.length));
    this.#send({
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: item.id,
      content_index: 0,
      transcript,
      usage: { type: 'duration', seconds: Math.round(audioSeconds * 1000) / 1000 },
    });
  }

  #begin(): Item {
    const item = newItem();
    this.#open.push(item);
    return item;
  }

  #sendDelta(item: Item, words: readonly string[]): void {
    if (words.length === 0) return;
    const delta = `${item.sentWords.length > 0 ? ' ' : ''}${words.join(' ')}`;
    item.sentWords.push(...words);
    this.#send({
      type: 'conversation.item.input_audio_transcription.delta',
      item_id: item.id,
      content_index: 0,
      delta,
    });
  }
}

const newItem = (): Item => ({ id: `item_${ulid()}`, sentWords: [], texts: [] });
