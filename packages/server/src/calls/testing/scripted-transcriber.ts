// A scripted transcriber for tests: counts samples; the script decides what it answers and when.
import { Fault } from '../../lib/fault.ts';
import type {
  AdmissionAnswer,
  AdmissionRequest,
  Session,
  SessionListener,
  SessionRequest,
  Transcriber,
} from '../../transcription/transcriber.ts';

export interface Script {
  admission?: AdmissionAnswer;
  /** Awaited before samples count as taken; simulates a slow recogniser. */
  beforeWrite?: (session: ScriptedSession) => Promise<void> | void;
  /** Awaited before the answer; simulates recognition of the tail. */
  beforeAnswer?: (session: ScriptedSession) => Promise<void> | void;
  /** May throw what opening a session should throw. */
  beforeOpen?: () => void;
  text?: (session: ScriptedSession) => string;
  effort?: 'reduced';
}

class ScriptedSession implements Session {
  readonly request: SessionRequest;
  readonly #script: Script;
  readonly #listener: SessionListener;
  readonly #gone = new AbortController();
  samples = 0;
  state: 'open' | 'finished' | 'cancelled' = 'open';

  constructor(request: SessionRequest, script: Script, listener: SessionListener) {
    this.request = request;
    this.#script = script;
    this.#listener = listener;
  }

  async write(samples: Float32Array): Promise<void> {
    await this.#unlessGone(this.#script.beforeWrite?.(this));
    this.samples += samples.length;
  }

  async finish(): Promise<void> {
    await this.#unlessGone(this.#script.beforeAnswer?.(this));
    this.state = 'finished';
    const text = this.#script.text?.(this) ?? `${this.samples} samples`;
    const endMs = this.samples / 16;
    const summary = { detectedLanguage: 'en', outputTokenCount: 2 };
    this.#listener({
      type: 'final',
      final: {
        startMs: 0,
        endMs,
        endedBy: 'end',
        transcript: {
          text,
          rawText: text,
          segments: [{ text, startMs: 0, endMs, language: 'en', confidence: 1, noSpeechProbability: 0 }],
          words: [],
          edits: [],
          ...summary,
        },
      },
    });
    this.#listener({
      type: 'done',
      summary: {
        ...summary,
        recognitionMs: 1,
        refinementMs: 1,
        refinementFallback: null,
        ...(this.#script.effort && { effort: this.#script.effort }),
      },
    });
  }

  async flush(): Promise<void> {}

  emitStableText(): void {}

  setRefinement(): void {}

  setVocabulary(): void {}

  cancel(): void {
    if (this.state === 'open') this.state = 'cancelled';
    this.#gone.abort();
  }

  /** Awaits the script's work or the cancellation, so that pending promises always settle. */
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

export class ScriptedTranscriber implements Transcriber {
  readonly sessions: ScriptedSession[] = [];
  script: Script;

  constructor(script: Script = {}) {
    this.script = script;
  }

  admit(_request: AdmissionRequest): AdmissionAnswer {
    return this.script.admission ?? { admitted: true, retryAfterSeconds: 0 };
  }

  open(request: SessionRequest, listener: SessionListener): Session {
    this.script.beforeOpen?.();
    const session = new ScriptedSession(request, this.script, listener);
    this.sessions.push(session);
    return session;
  }

  async close(): Promise<void> {
    for (const session of this.sessions) session.cancel();
  }
}
