// Live mode: audio out, events back while people speak.
import { AudioStream, type StreamParts } from './audio-stream.ts';
import { parseJson } from './error.ts';
import type { LiveEvent, LiveText, LiveWord } from './live-events.ts';

export interface LiveParts extends StreamParts {
  readonly onEvent: (event: LiveEvent) => void;
}

const MESSAGES = { keepAlive: '{"type":"KeepAlive"}', finish: '{"type":"CloseStream"}' };
const NORMAL_CLOSURE = 1000;

interface Word {
  readonly word: string;
  readonly punctuated_word?: string;
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
  readonly speaker?: number;
}

/** The fields of Deepgram's messages that are used here. */
interface Message {
  readonly type?: string;
  readonly timestamp?: number;
  readonly start?: number;
  readonly duration?: number;
  readonly is_final?: boolean;
  readonly speech_final?: boolean;
  readonly from_finalize?: boolean;
  readonly description?: string;
  readonly channel?: {
    readonly alternatives?: readonly {
      readonly transcript: string;
      readonly words: readonly Word[];
    }[];
  };
  /** Of SpeakersChanged. */
  readonly words?: readonly Word[];
  readonly speakers?: readonly {
    readonly speaker: number;
    readonly name: string | null;
    readonly is_name_sure: boolean;
  }[];
}

const wordOf = (word: Word): LiveWord => ({
  text: word.punctuated_word ?? word.word,
  startSeconds: word.start,
  endSeconds: word.end,
  confidence: word.confidence,
  ...(word.speaker !== undefined && { speaker: word.speaker }),
});

export class LiveStream extends AudioStream<string> {
  /** The joined finals. Always settles; rejects with the reason of an abort. */
  readonly transcript = this.ended;
  readonly #onEvent: (event: LiveEvent) => void;
  readonly #finals: string[] = [];
  readonly #flushes: (() => void)[] = [];
  #problem: string | undefined;
  #endReason = '';

  constructor({ onEvent, ...parts }: LiveParts) {
    super(parts, MESSAGES);
    this.#onEvent = onEvent;
  }

  /** Why the server ended the stream in order, such as its maximum length. Empty if it gave no reason. */
  get endReason(): string {
    return this.#endReason;
  }

  /** Ends the open utterance here; resolves when its final has arrived. */
  async flush(): Promise<void> {
    await this.opened;
    if (!this.isOpen) return;
    const flushed = new Promise<void>((resolve) => this.#flushes.push(resolve));
    await this.sendMessage('{"type":"Finalize"}');
    await Promise.race([flushed, this.ended.catch(() => undefined)]);
  }

  protected override onMessage(text: string): void {
    const message = (parseJson(text) ?? {}) as Message;
    if (message.type === 'SpeechStarted') this.#onEvent({ type: 'speech_started', atSeconds: message.timestamp ?? 0 });
    else if (message.type === 'Error') this.#problem = message.description;
    else if (message.type === 'Results') this.#onResults(message);
    else if (message.type === 'SpeakersChanged') {
      const { start = 0, duration = 0, words = [] } = message;
      const span = { startSeconds: start, endSeconds: start + duration };
      this.#onEvent({ type: 'speakers_changed', ...span, words: words.map(wordOf) });
    }
  }

  protected override onClosed(closeCode: number, reason: string): void {
    if (closeCode === NORMAL_CLOSURE) {
      this.#endReason = reason;
      this.resolve(this.#finals.join(' '));
    } else super.onClosed(closeCode, this.#problem ?? reason);
  }

  #onResults({
    start = 0,
    duration = 0,
    is_final,
    speech_final,
    from_finalize,
    channel,
    speakers = [],
  }: Message): void {
    const [best] = channel?.alternatives ?? [];
    const result: LiveText = {
      text: best?.transcript ?? '',
      words: (best?.words ?? []).map(wordOf),
      startSeconds: start,
      endSeconds: start + duration,
    };
    if (!is_final) {
      this.#onEvent({ type: 'interim', ...result });
      return;
    }
    if (result.text !== '') this.#finals.push(result.text);
    const people = speakers.map(({ speaker, name, is_name_sure: isNameSure }) => ({ speaker, name, isNameSure }));
    this.#onEvent({ type: 'final', isEndpoint: speech_final === true, speakers: people, ...result });
    if (from_finalize) this.#flushes.shift()?.();
  }
}
