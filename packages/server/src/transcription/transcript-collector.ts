// Joins the events of a session into one transcript, for callers that only want the result.
import type { SessionEvent, SessionSummary, Transcript, TranscriptText } from './transcriber.ts';

/** The transcript of silence. */
export const EMPTY_TEXT: TranscriptText = {
  text: '',
  rawText: '',
  segments: [],
  words: [],
  edits: [],
  detectedLanguage: null,
  outputTokenCount: 0,
};

export class TranscriptCollector {
  #text: TranscriptText | undefined;
  #summary: SessionSummary | undefined;

  take(event: SessionEvent): void {
    if (event.type === 'final') this.#text = event.final.transcript;
    if (event.type === 'done') this.#summary = event.summary;
  }

  /** Complete once the session is done. */
  get transcript(): Transcript {
    if (!this.#text || !this.#summary) throw new Error('the session is not done');
    return { ...this.#text, ...this.#summary };
  }
}
