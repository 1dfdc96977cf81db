// A small caption widget for any page: a button, and words while somebody speaks. What may still change is grey.
import { Faircopy } from './browser.ts';
import { captionStyle } from './captions-style.ts';
import type { LiveStream } from './live.ts';
import type { LiveEvent } from './live-events.ts';
import { type Microphone, openMicrophone } from './microphone.ts';
import type { LiveStreamOptions } from './options.ts';

export interface CaptionTexts {
  readonly start: string;
  readonly stop: string;
  /** Shown before the first word. */
  readonly empty: string;
  /** Names the captions for screen readers. */
  readonly label: string;
}

export interface CaptionsOptions extends Pick<LiveStreamOptions, 'model' | 'language' | 'endpointingMs'> {
  readonly baseUrl: string | URL;
  /** A key, or what fetches one that ends soon from your own server: whoever opens the page can read it. */
  readonly apiKey: string | (() => string | Promise<string>);
  /** Address of `@faircopy/client/worklet` as your site serves it. */
  readonly workletUrl: string | URL;
  /** Utterances that stay in sight. Default 50. */
  readonly utterancesMax?: number;
  /** In another language than English. */
  readonly texts?: Partial<CaptionTexts>;
  readonly onEvent?: (event: LiveEvent) => void;
}

export interface CaptionsWidget {
  /** Asks for the microphone and begins, as the button does. Rejects with the reason when that fails. */
  start(): Promise<void>;
  /** Ends it; resolves to the joined finals. */
  stop(): Promise<string>;
  /** Takes the widget off the page, and lets go of the microphone. */
  remove(): void;
}

const TEXTS: CaptionTexts = {
  start: 'Start captions',
  stop: 'Stop',
  empty: 'Words appear here while you speak.',
  label: 'Live captions',
};
const UTTERANCES_MAX = 50;

interface Session {
  readonly microphone: Microphone;
  readonly stream: LiveStream;
}

/** The widget's elements, and what is written in them. */
class CaptionBox {
  readonly root = document.createElement('div');
  readonly button = document.createElement('button');
  readonly #log = document.createElement('div');
  readonly #interim = document.createElement('span');
  readonly #problem = document.createElement('p');
  readonly #texts: CaptionTexts;
  readonly #utterancesMax: number;

  constructor(texts: CaptionTexts, utterancesMax: number) {
    this.#texts = texts;
    this.#utterancesMax = utterancesMax;
    this.root.className = 'box';
    this.button.type = 'button';
    this.#log.className = 'log';
    this.#log.tabIndex = 0;
    this.#log.setAttribute('role', 'log');
    this.#log.setAttribute('aria-label', texts.label);
    this.#interim.className = 'interim';
    // Screen readers are told what has settled, not every guess.
    this.#interim.setAttribute('aria-hidden', 'true');
    this.#interim.dir = 'auto';
    this.#problem.className = 'problem';
    this.#problem.setAttribute('role', 'alert');
    this.root.append(this.#log, this.#problem, this.button);
    this.clear();
    this.idle();
  }

  clear(): void {
    const empty = document.createElement('span');
    empty.className = 'interim empty';
    empty.textContent = this.#texts.empty;
    this.#interim.textContent = '';
    this.#log.replaceChildren(empty, this.#interim);
    this.#problem.textContent = '';
  }

  idle(): void {
    this.button.textContent = this.#texts.start;
    this.button.disabled = false;
  }

  speaking(): void {
    this.button.textContent = this.#texts.stop;
    this.button.disabled = false;
  }

  wait(): void {
    this.button.disabled = true;
  }

  fail(message: string): void {
    this.#problem.textContent = message;
  }

  show(event: LiveEvent): void {
    if (event.type === 'speech_started') return;
    this.#log.querySelector('.empty')?.remove();
    this.#interim.textContent = event.type === 'interim' ? event.text : '';
    if (event.type === 'final' && event.text !== '') {
      const final = document.createElement('span');
      final.className = 'final';
      final.dir = 'auto';
      final.textContent = `${event.text} `;
      this.#interim.before(final);
      const finals = this.#log.querySelectorAll('.final');
      if (finals.length > this.#utterancesMax) finals[0]?.remove();
    }
    this.#log.scrollTop = this.#log.scrollHeight;
  }
}

/** Not every browser iterates streams yet, so it is read by hand. */
const pour = async (source: ReadableStream<Uint8Array>, stream: LiveStream): Promise<void> => {
  const reader = source.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) await stream.send(next.value);
};

const open = async (options: CaptionsOptions, onEvent: (event: LiveEvent) => void): Promise<Session> => {
  const { apiKey, baseUrl, workletUrl, model, language, endpointingMs } = options;
  const microphone = await openMicrophone({ workletUrl });
  try {
    const key = typeof apiKey === 'string' ? apiKey : await apiKey();
    const stream = new Faircopy({ baseUrl, apiKey: key }).live({
      sampleRate: microphone.sampleRate,
      onEvent,
      ...(model && { model }),
      ...(language && { language }),
      ...(endpointingMs !== undefined && { endpointingMs }),
    });
    await stream.opened;
    return { microphone, stream };
  } catch (cause) {
    await microphone.stop();
    throw cause;
  }
};

/** Puts the widget into an element of the page. */
export const mountCaptions = (host: Element, options: CaptionsOptions): CaptionsWidget => {
  const place = document.createElement('div');
  const shadow = place.attachShadow({ mode: 'open' });
  // A sheet made by script passes a strict content security policy, which an inline style would not.
  shadow.adoptedStyleSheets = [captionStyle()];
  const box = new CaptionBox({ ...TEXTS, ...options.texts }, options.utterancesMax ?? UTTERANCES_MAX);
  shadow.append(box.root);
  host.append(place);
  let session: Session | undefined;

  const end = () => {
    const ended = session;
    session = undefined;
    void ended?.microphone.stop();
    box.idle();
    return ended;
  };
  const start = async () => {
    if (session) return;
    box.wait();
    box.clear();
    try {
      const begun = await open(options, (event) => {
        box.show(event);
        options.onEvent?.(event);
      });
      session = begun;
      box.speaking();
      // When the stream ends early, its transcript carries the reason; pouring only stops.
      pour(begun.microphone.audio, begun.stream).catch(() => undefined);
      begun.stream.transcript.catch((cause: Error) => {
        if (end() === begun) box.fail(cause.message);
      });
    } catch (cause) {
      box.idle();
      box.fail(cause instanceof Error ? cause.message : String(cause));
      throw cause;
    }
  };
  const stop = async () => {
    const ended = session;
    if (!ended) return '';
    box.wait();
    await ended.microphone.stop();
    try {
      return await ended.stream.finish();
    } finally {
      end();
    }
  };
  box.button.addEventListener('click', () => void (session ? stop() : start()).catch(() => undefined));
  return {
    start,
    stop,
    remove: () => {
      end()?.stream.abort();
      place.remove();
    },
  };
};
