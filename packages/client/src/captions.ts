// A small caption widget for any page: a button and live captions. Interim text is grey.
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
  /** The name of the captions for screen readers. */
  readonly label: string;
}

export interface CaptionsOptions extends Pick<LiveStreamOptions, 'model' | 'language' | 'endpointingMs'> {
  readonly baseUrl: string | URL;
  /** A key, or a function that fetches a short-lived one from your server. Every visitor of the page can read it. */
  readonly apiKey: string | (() => string | Promise<string>);
  /** The URL at which your site serves `@faircopy/client/worklet`. */
  readonly workletUrl: string | URL;
  /** Utterances to keep on screen. Default 50. */
  readonly utterancesMax?: number;
  /** Replaces the English texts. */
  readonly texts?: Partial<CaptionTexts>;
  readonly onEvent?: (event: LiveEvent) => void;
}

export interface CaptionsWidget {
  /** Asks for the microphone and starts, as the button does. Rejects with the reason when that fails or is stopped. */
  start(): Promise<void>;
  /** Stops, and resolves to the joined finals. */
  stop(): Promise<string>;
  /** Removes the widget from the page and releases the microphone. */
  remove(): void;
}

const TEXTS: CaptionTexts = {
  start: 'Start captions',
  stop: 'Stop',
  empty: 'Words appear here while you speak.',
  label: 'Live captions',
};
const UTTERANCES_MAX = 50;

/** Shown when the server gives no reason. */
const ENDED = 'The server ended the captions.';

interface Session {
  readonly microphone: Microphone;
  readonly stream: LiveStream;
  /** Resolves when all audio has been sent or sending has failed. */
  readonly sent: Promise<void>;
  isStopping: boolean;
}

interface Start {
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/** The widget's elements. */
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
    // Screen readers announce finals only.
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

const open = async (
  options: CaptionsOptions,
  signal: AbortSignal,
  onEvent: (event: LiveEvent) => void,
): Promise<Session> => {
  const { apiKey, baseUrl, workletUrl, model, language, endpointingMs } = options;
  const microphone = await openMicrophone({ workletUrl, signal });
  try {
    const key = typeof apiKey === 'string' ? apiKey : await apiKey();
    const stream = new Faircopy({ baseUrl, apiKey: key }).live({
      model,
      language: language || undefined,
      endpointingMs,
      sampleRate: microphone.sampleRate,
      onEvent,
      signal,
    });
    await stream.opened;
    // When the stream ends early, `transcript` settles with the reason.
    const sent = stream.sendAll(microphone.audio).catch(() => undefined);
    return { microphone, stream, sent, isStopping: false };
  } catch (cause) {
    await microphone.stop();
    throw cause;
  }
};

/** Adds the widget to an element of the page. */
export const mountCaptions = (host: Element, options: CaptionsOptions): CaptionsWidget => {
  const container = document.createElement('div');
  const shadow = container.attachShadow({ mode: 'open' });
  // A constructed style sheet passes a strict content security policy; an inline style does not.
  shadow.adoptedStyleSheets = [captionStyle()];
  const box = new CaptionBox({ ...TEXTS, ...options.texts }, options.utterancesMax ?? UTTERANCES_MAX);
  shadow.append(box.root);
  host.append(container);
  let session: Session | undefined;
  let starting: Start | undefined;

  /** Returns whether `ended` was the current session. */
  const end = (ended: Session): boolean => {
    if (session !== ended) return false;
    session = undefined;
    void ended.microphone.stop();
    box.idle();
    return true;
  };
  const begin = (started: Session) => {
    session = started;
    box.speaking();
    const lose = (why: string) => {
      if (end(started)) box.fail(why);
    };
    started.stream.transcript.then(
      // The server also ends a stream in order, for example at its maximum length.
      () => {
        if (!started.isStopping) lose(started.stream.endReason || ENDED);
      },
      (cause: Error) => lose(cause.message),
    );
  };
  const run = async (controller: AbortController) => {
    const { signal } = controller;
    box.wait();
    box.clear();
    try {
      const started = await open(options, signal, (event) => {
        box.show(event);
        options.onEvent?.(event);
      });
      // The signal has also ended the stream and released the microphone.
      signal.throwIfAborted();
      begin(started);
    } catch (cause) {
      // After `cancelStart`, the box may already show another start.
      if (!signal.aborted) {
        box.idle();
        box.fail(cause instanceof Error ? cause.message : String(cause));
      }
      throw cause;
    } finally {
      if (starting?.controller === controller) starting = undefined;
    }
  };
  const cancelStart = () => {
    if (!starting) return;
    starting.controller.abort(new DOMException('The captions were stopped while they started.', 'AbortError'));
    starting = undefined;
    box.idle();
  };
  const start = async () => {
    if (session) return;
    if (!starting) {
      const controller = new AbortController();
      starting = { controller, done: run(controller) };
    }
    return starting.done;
  };
  const stop = async () => {
    cancelStart();
    const ended = session;
    if (!ended) return '';
    ended.isStopping = true;
    box.wait();
    await ended.microphone.stop();
    await ended.sent;
    try {
      return await ended.stream.finish();
    } finally {
      end(ended);
    }
  };
  box.button.addEventListener('click', () => void (session ? stop() : start()).catch(() => undefined));
  return {
    start,
    stop,
    remove: () => {
      cancelStart();
      const removed = session;
      if (removed && end(removed)) removed.stream.abort();
      container.remove();
    },
  };
};
