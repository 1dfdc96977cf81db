// A transcriber that follows a script: what it hears is counted, what it answers is told, and when is up to the test.
import { Fault } from '../../lib/fault.ts';
import type { LiveSession, LiveTranscriber } from '../../transcription/live/live-session.ts';
import type {
  Admission,
  AdmissionRequest,
  Session,
  SessionRequest,
  Transcript,
} from '../../transcription/transcriber.ts';

export interface Script {
  admission?: Admission;
  /** Awaited before samples count as taken: a slow recogniser. */
  beforeWrite?: (session: ScriptedSession) => Promise<void> | void;
  /** Awaited before the answer: the tail's recognition. */
  beforeAnswer?: (session: ScriptedSession) => Promise<void> | void;
  /** Throws what opening a session should throw. */
  beforeOpen?: () => void;
  text?: (session: ScriptedSession) => string;
}

export class ScriptedSession implements Session {
  readonly request: SessionRequest;
  readonly #script: Script;
  readonly #gone = new AbortController();
  samples = 0;
  state: 'open' | 'finished' | 'cancelled' = 'open';

  constructor(request: SessionRequest, script: Script) {
    this.request = request;
    this.#script = script;
  }

  get started(): boolean {
    return this.samples > 0;
  }

  async write(samples: Float32Array): Promise<void> {
    await this.#unlessGone(this.#script.beforeWrite?.(this));
    this.samples += samples.length;
  }

  async finish(): Promise<Transcript> {
    await this.#unlessGone(this.#script.beforeAnswer?.(this));
    this.state = 'finished';
    const text = this.#script.text?.(this) ?? `${this.samples} samples`;
    return {
      text,
      rawText: text,
      segments: [{ text, startMs: 0, endMs: this.samples / 16, language: 'en', confidence: 1, noSpeechProbability: 0 }],
      words: [],
      edits: [],
      detectedLanguage: 'en',
      outputTokenCount: 2,
      recognitionMs: 1,
      refinementMs: 1,
      refinementFallback: null,
    };
  }

  onSettledText(): void {}

  cancel(): void {
    if (this.state === 'open') this.state = 'cancelled';
    this.#gone.abort();
  }

  /** What the script waits for, or the cancellation: pending promises settle either way. */
  async #unlessGone(work: Promise<void> | undefined | void): Promise<void> {
    const { signal } = this.#gone;
    let onAbort = (): void => undefined;
    const gone = new Promise<never>((_, reject) => {
      onAbort = () => reject(new Fault('SERVICE_UNAVAILABLE', { message: 'cancelled' }));
      signal.addEventListener('abort', onAbort);
    });
    try {
      if (signal.aborted) onAbort();
      await Promise.race([work ?? Promise.resolve(), gone]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
}

export class ScriptedTranscriber implements LiveTranscriber {
  readonly sessions: ScriptedSession[] = [];
  script: Script;

  constructor(script: Script = {}) {
    this.script = script;
  }

  admit(_request: AdmissionRequest): Admission {
    return this.script.admission ?? { admitted: true, retryAfterSeconds: 0 };
  }

  open(request: SessionRequest): Session {
    this.script.beforeOpen?.();
    const session = new ScriptedSession(request, this.script);
    this.sessions.push(session);
    return session;
  }

  /** Live endpoints are tested on the real transcription with a scripted engine. */
  openLive(): LiveSession {
    throw new Error('no live session is scripted');
  }

  async close(): Promise<void> {
    for (const session of this.sessions) session.cancel();
  }
}
