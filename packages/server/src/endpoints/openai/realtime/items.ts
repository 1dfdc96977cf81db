// The conversation items of a realtime session: begun when speech starts, committed when it stops, completed by finals.
import { ulid } from 'ulid';
import type { Final, Interim } from '../../../calls/transcript.ts';
import { secondsOf } from '../../../lib/rounding.ts';

interface Item {
  readonly id: string;
  /** Where its speech starts. */
  readonly startMs: number;
  isCommitted: boolean;
  /** Whether the client knows the id. Deltas wait until then. */
  isAnnounced: boolean;
  /** The joined deltas, sent or waiting. */
  deltas: string;
  /** Words that were sent to the client, and how many of them belong to finals. */
  shown: readonly string[];
  settled: number;
  readonly texts: string[];
}

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}']/gu, '');
const wordsOf = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');

export class Items {
  readonly #send: (event: object) => void;
  /** Incomplete items, oldest first. Only the newest may be uncommitted. Finals arrive in the same order. */
  readonly #items: Item[] = [];
  #previousId: string | null = null;

  constructor(send: (event: object) => void) {
    this.#send = send;
  }

  get isOpen(): boolean {
    return this.#items.length > 0;
  }

  /** Where the oldest item starts. */
  get startMs(): number | undefined {
    return this.#items[0]?.startMs;
  }

  /** Whether an uncommitted item receives the current speech. */
  get isListening(): boolean {
    return this.#listening !== undefined;
  }

  speechStarted(atMs: number): void {
    const item = this.#begin(atMs);
    item.isAnnounced = true;
    this.#send({ type: 'input_audio_buffer.speech_started', audio_start_ms: Math.round(atMs), item_id: item.id });
  }

  /** Commits the item at once: later speech belongs to another one. */
  speechStopped(atMs: number): void {
    const item = this.#listening;
    if (!item) return;
    this.#send({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: Math.round(atMs), item_id: item.id });
    this.#commit(item);
  }

  /** Commits the open item; its finals follow. */
  commit(): void {
    if (this.#listening) this.#commit(this.#listening);
  }

  /** Commits the audio so far, in which no speech may have been found yet. */
  commitAudio(): void {
    this.#commit(this.#listening ?? this.#begin());
  }

  /** Sends the words that later interims will keep, since a sent delta cannot be revised. */
  interim({ words, committed }: Interim): void {
    const item = this.#listening;
    if (!item) return;
    const sent = item.shown.length - item.settled;
    this.#show(
      item,
      words.slice(sent, committed).map(({ text }) => text.trim()),
    );
  }

  /** Adds a final to the oldest item, which may get more of them. */
  add({ transcript }: Final): void {
    const item = this.#items[0] ?? this.#begin();
    const text = transcript.text.trim();
    if (text === '') return;
    item.texts.push(text);
    const words = wordsOf(item.texts.join(' '));
    if (item.shown.every((word, at) => bare(word) === bare(words[at] ?? '')))
      this.#show(item, words.slice(item.shown.length));
    item.shown = words;
    item.settled = words.length;
  }

  /** Completes the oldest item, and commits it if speech has not stopped. */
  complete(audioSeconds: number): void {
    const item = this.#items[0] ?? this.#begin();
    if (!item.isCommitted) this.#commit(item);
    this.#items.shift();
    const transcript = item.texts.join(' ');
    this.#send({
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: item.id,
      content_index: 0,
      transcript,
      // Announces that the text differs from the joined deltas.
      ...(item.deltas !== transcript && { deltas_revised: true }),
      usage: { type: 'duration', seconds: secondsOf(audioSeconds * 1000) },
    });
  }

  /** Drops the open item, whose audio was discarded. Committed items still get their text. */
  dropOpen(): void {
    if (this.#listening) this.#items.pop();
  }

  get #listening(): Item | undefined {
    const item = this.#items.at(-1);
    return item?.isCommitted === false ? item : undefined;
  }

  #begin(startMs = 0): Item {
    const id = `item_${ulid()}`;
    const isNew = { isCommitted: false, isAnnounced: false };
    const item: Item = { id, startMs, ...isNew, deltas: '', shown: [], settled: 0, texts: [] };
    this.#items.push(item);
    return item;
  }

  #commit(item: Item): void {
    const previous = this.#previousId;
    item.isCommitted = true;
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
    if (!item.isAnnounced && item.deltas !== '') this.#sendDelta(item, item.deltas);
    item.isAnnounced = true;
  }

  #show(item: Item, words: readonly string[]): void {
    if (words.length === 0) return;
    const delta = `${item.deltas === '' ? '' : ' '}${words.join(' ')}`;
    item.deltas += delta;
    item.shown = [...item.shown, ...words];
    if (item.isAnnounced) this.#sendDelta(item, delta);
  }

  #sendDelta(item: Item, delta: string): void {
    this.#send({
      type: 'conversation.item.input_audio_transcription.delta',
      item_id: item.id,
      content_index: 0,
      delta,
    });
  }
}
