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
  readonly #texts: TranscriptText[] = [];
  #summary: SessionSummary | undefined;

  take(event: SessionEvent): void {
    if (event.type === 'final') this.#texts.push(event.final.transcript);
    if (event.type === 'done') this.#summary = event.summary;
  }

  /** Complete once the session is done. */
  get transcript(): Transcript {
    if (this.#texts.length === 0 || !this.#summary) throw new Error('the session is not done');
    return { ...joinTexts(this.#texts), ...this.#summary };
  }
}

/** Concatenates texts, and shifts their offsets into the raw text. */
const joinTexts = (texts: readonly TranscriptText[]): TranscriptText => {
  const [only = EMPTY_TEXT, ...others] = texts.filter(({ text, rawText }) => text !== '' || rawText !== '');
  if (others.length === 0) return texts.length === 1 ? texts[0]! : only;
  const all = [only, ...others];
  const starts: number[] = [];
  let rawText = '';
  for (const each of all) {
    if (rawText !== '') rawText += ' ';
    starts.push(rawText.length);
    rawText += each.rawText;
  }
  const moved = (offset: number, at: number): number => offset + starts[at]!;
  return {
    ...only,
    text: all.flatMap(({ text }) => text || []).join(' '),
    rawText,
    segments: all.flatMap(({ segments }) => segments),
    words: all.flatMap(({ words }) => words),
    edits: all.flatMap(({ edits }, at) =>
      edits.map((edit) => ({ ...edit, rawStart: moved(edit.rawStart, at), rawEnd: moved(edit.rawEnd, at) })),
    ),
    terms: all.flatMap(({ terms = [] }, at) =>
      terms.map((term) => ({ ...term, start: moved(term.start, at), end: moved(term.end, at) })),
    ),
    outputTokenCount: all.reduce((sum, each) => sum + each.outputTokenCount, 0),
  };
};
