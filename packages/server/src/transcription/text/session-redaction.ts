// Hides personal data in everything a session emits: texts, edits, segments, words, terms and interims.
import { randomBytes } from 'node:crypto';
import type { RedactedKind } from '@faircopy/contract';
import { locate } from '@faircopy/transcript';
import { type RedactedInterim, redactInterim, redactRaw } from '../../refine/redaction/redact-chain.ts';
import type { RedactedSpan, RedactionInput } from '../../refine/redaction/redaction.ts';
import { overlapping, RedactedOffsets } from '../../refine/redaction/spans.ts';
import { type Refined, type RefineInput, textInput } from '../../refine/refiner.ts';
import { joinedText } from '../../refine/token.ts';
import type { PlacedTerm, RecognisedWord } from '../../speech/recogniser.ts';
import type { Assembled } from '../recognition/assemble.ts';
import type { Interim, TranscriptSegment } from '../transcriber.ts';

/** Recent text that shows what a number is, and whether it continues. */
const BEFORE_CHARACTERS_MAX = 600;

export interface Concealed {
  readonly refined: Refined;
  readonly segments: readonly TranscriptSegment[];
  readonly words: readonly RecognisedWord[];
  readonly terms: readonly PlacedTerm[];
}

interface HiddenWord {
  readonly word: RecognisedWord;
  /** Index of the last recognised word that it replaces. */
  readonly last: number;
}

/**
 * Replaces the words of each hidden stretch by one word that lasts as long as they did. Words that are not in the text
 * are dropped, because they might show personal data; segments, too.
 */
const hideInWords = (
  rawText: string,
  words: readonly RecognisedWord[],
  spans: readonly RedactedSpan[],
): HiddenWord[] => {
  const offsets = new RedactedOffsets(rawText, spans);
  const hidden: HiddenWord[] = [];
  let open: RedactedSpan | undefined;
  for (const { item: word, index: last, start, end } of locate(rawText, words)) {
    const span = spans[overlapping(spans, start, end)];
    const before = hidden.at(-1);
    if (!span) hidden.push({ word, last });
    else if (span === open && before)
      hidden[hidden.length - 1] = { word: { ...before.word, endMs: Math.max(before.word.endMs, word.endMs) }, last };
    else {
      const space = /^\s*/u.exec(word.text)?.[0] ?? '';
      hidden.push({ word: { ...word, text: space + offsets.between(span.rawStart, span.rawEnd) }, last });
    }
    open = span;
  }
  return hidden;
};

/** A hidden stretch that spans two segments is shown in the first. */
const hideInSegments = (
  rawText: string,
  segments: readonly TranscriptSegment[],
  spans: readonly RedactedSpan[],
): TranscriptSegment[] => {
  const offsets = new RedactedOffsets(rawText, spans);
  return locate(rawText, segments)
    .map(({ item, start, end }) => ({ ...item, text: offsets.between(start, end).trim() }))
    .filter(({ text }) => text !== '');
};

const hideInTerms = (rawText: string, terms: readonly PlacedTerm[], spans: readonly RedactedSpan[]): PlacedTerm[] => {
  const offsets = new RedactedOffsets(rawText, spans);
  return terms
    .filter(({ start, end }) => overlapping(spans, start, end) === -1)
    .map((term) => ({ ...term, start: offsets.at(term.start, 'start'), end: offsets.at(term.end, 'end') }));
};

export class SessionRedaction {
  #kinds: readonly RedactedKind[];
  readonly #salt = randomBytes(16).toString('base64url');
  #known: RedactionInput['known'] = [];
  #before = '';
  /** The last interim that was redacted, because in pauses interims repeat. */
  #interim: (RedactedInterim & { readonly text: string; readonly language: string | null }) | null = null;

  constructor(kinds: readonly RedactedKind[] = []) {
    this.#kinds = kinds;
  }

  get isOn(): boolean {
    return this.#kinds.length > 0;
  }

  setKinds(kinds: readonly RedactedKind[]): void {
    this.#kinds = kinds;
    this.#interim = null;
  }

  /** `isOpenEnd`: more speech may follow. Undefined when redaction is off. */
  input(isOpenEnd: boolean): RedactionInput | undefined {
    if (!this.isOn) return undefined;
    return { kinds: this.#kinds, before: this.#before, isOpenEnd, salt: this.#salt, known: this.#known };
  }

  /** Hides in every part of a transcript what refinement hid in its text. */
  conceal(
    { segments, words }: Pick<Assembled, 'segments' | 'words'>,
    input: RefineInput,
    refined: Refined,
    terms: readonly PlacedTerm[],
  ): Concealed {
    if (!this.isOn) return { refined, segments, words, terms };
    // Text that was not refined has not been redacted either.
    const redacted = refined.redaction ? refined : { ...redactRaw(input), fallback: refined.fallback };
    const rawText = joinedText(input.pieces);
    const spans = redacted.redaction?.spans ?? [];
    return {
      refined: redacted,
      segments: hideInSegments(rawText, segments, spans),
      words: hideInWords(rawText, words, spans).map(({ word }) => word),
      terms: hideInTerms(rawText, terms, spans),
    };
  }

  /** Called when an utterance was emitted: the next one continues its text and its numbering of marks. */
  remember({ pieces }: RefineInput, { redaction }: Refined): void {
    this.#interim = null;
    if (redaction) this.#known = redaction.known;
    if (this.isOn) this.#before = `${this.#before} ${joinedText(pieces)}`.slice(-BEFORE_CHARACTERS_MAX);
  }

  /** Depends only on the text, not on its times. */
  #redactInterim(text: string, language: string | null, asked: RedactionInput): RedactedInterim {
    if (this.#interim?.text === text && this.#interim.language === language) return this.#interim;
    this.#interim = { ...redactInterim(textInput(text, language), asked), text, language };
    return this.#interim;
  }

  /** Redacts an interim, and drops words that may still become personal data, such as an unfinished number. */
  concealInterim(interim: Interim): Interim {
    const asked = this.input(false);
    if (!asked || interim.words.length === 0) return interim;
    const text = interim.words.map((word) => word.text.trim()).join(' ');
    const { spans, shownTo } = this.#redactInterim(text, interim.language, asked);
    const hidden = hideInWords(text, interim.words, spans);
    const located = locate(text, interim.words);
    const firstHeld = located.find(({ end }) => end > shownTo);
    const shownWords = firstHeld?.index ?? interim.words.length;
    const shown = hidden.filter(({ last }) => last < shownWords);
    const committed = shown.filter(({ last }) => last < interim.committed).length;
    return { ...interim, words: shown.map(({ word }) => word), committed };
  }
}
