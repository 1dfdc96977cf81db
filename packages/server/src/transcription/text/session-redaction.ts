// Hides personal data in everything a session emits: texts, edits, segments, words, terms and interims.
import { randomBytes } from 'node:crypto';
import type { RedactedKind } from '@faircopy/contract';
import { RedactedOffsets } from '../../refine/redaction/redact.ts';
import { openTextStart, redactRaw } from '../../refine/redaction/redact-chain.ts';
import type { RedactedSpan, RedactionInput } from '../../refine/redaction/redaction.ts';
import type { Refined, RefineInput } from '../../refine/refiner.ts';
import { joinedText } from '../../refine/token.ts';
import type { PlacedTerm, RecognisedWord } from '../../speech/recogniser.ts';
import type { Assembled } from '../recognition/assemble.ts';
import type { Interim, TranscriptSegment } from '../transcriber.ts';

/** What was said lately tells what a number is, and whether it goes on. */
const BEFORE_CHARACTERS_MAX = 600;
/** How far after the one before it a word is looked for. */
const SEARCH_CHARACTERS_MAX = 200;

export interface Concealed {
  readonly refined: Refined;
  readonly segments: readonly TranscriptSegment[];
  readonly words: readonly RecognisedWord[];
  readonly terms: readonly PlacedTerm[];
}

interface Located<Item> {
  readonly item: Item;
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** Items that are not in the text are left out: nobody knows what they would show. */
const locate = <Item extends { readonly text: string }>(rawText: string, items: readonly Item[]): Located<Item>[] => {
  const found: Located<Item>[] = [];
  let from = 0;
  for (const [index, item] of items.entries()) {
    const text = item.text.trim();
    const near = rawText.slice(from, from + text.length + SEARCH_CHARACTERS_MAX).indexOf(text);
    if (text === '' || near === -1) continue;
    found.push({ item, index, start: from + near, end: from + near + text.length });
    from += near + text.length;
  }
  return found;
};

interface HiddenWord {
  readonly word: RecognisedWord;
  /** Index of the last word that it stands for. */
  readonly last: number;
}

/** The words of one stretch become one word that lasts as long as they did. */
const hideInWords = (
  rawText: string,
  words: readonly RecognisedWord[],
  spans: readonly RedactedSpan[],
): HiddenWord[] => {
  const offsets = new RedactedOffsets(rawText, spans);
  const hidden: HiddenWord[] = [];
  let open: RedactedSpan | undefined;
  for (const { item: word, index: last, start, end } of locate(rawText, words)) {
    const span = spans.find(({ rawStart, rawEnd }) => start < rawEnd && rawStart < end);
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

/** A stretch over two segments is shown in the first. */
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
    .filter(({ start, end }) => !spans.some(({ rawStart, rawEnd }) => start < rawEnd && rawStart < end))
    .map((term) => ({ ...term, start: offsets.at(term.start, 'start'), end: offsets.at(term.end, 'end') }));
};

export class SessionRedaction {
  #kinds: readonly RedactedKind[];
  readonly #salt = randomBytes(16).toString('base64url');
  #known: RedactionInput['known'] = [];
  #before = '';

  constructor(kinds: readonly RedactedKind[] = []) {
    this.#kinds = kinds;
  }

  get isOn(): boolean {
    return this.#kinds.length > 0;
  }

  setKinds(kinds: readonly RedactedKind[]): void {
    this.#kinds = kinds;
  }

  /** `isOpenEnd`: more may be said. Undefined when nothing is hidden. */
  input(isOpenEnd: boolean): RedactionInput | undefined {
    if (!this.isOn) return undefined;
    return { kinds: this.#kinds, before: this.#before, isOpenEnd, salt: this.#salt, known: this.#known };
  }

  /** Hides in every part of a transcript what refinement hid in its text. */
  conceal(
    assembled: Pick<Assembled, 'segments' | 'words'>,
    input: RefineInput,
    refined: Refined,
    terms: readonly PlacedTerm[],
  ): Concealed {
    const { segments, words } = assembled;
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

  /** An utterance was emitted: the next one continues it, and its marks stay. */
  remember({ pieces }: RefineInput, { redaction }: Refined): void {
    if (redaction) this.#known = redaction.known;
    if (this.isOn) this.#before = `${this.#before} ${joinedText(pieces)}`.slice(-BEFORE_CHARACTERS_MAX);
  }

  /** Without what may still become personal data, such as a number that is being said. */
  concealInterim(interim: Interim): Interim {
    if (!this.isOn || interim.words.length === 0) return interim;
    const text = interim.words.map((word) => word.text.trim()).join(' ');
    const { startMs, endMs, language } = interim;
    const piece = { text, startMs, endMs, language, confidence: 1 };
    const input: RefineInput = { pieces: [piece], language, vocabulary: [], redaction: this.input(false) };
    const shownTo = openTextStart(input);
    const { redaction } = redactRaw(input);
    const hidden = hideInWords(text, interim.words, redaction?.spans ?? []);
    const located = locate(text, interim.words);
    const firstHeld = located.find(({ end }) => end > shownTo);
    const shownWords = firstHeld?.index ?? interim.words.length;
    const shown = hidden.filter(({ last }) => last < shownWords);
    const committed = shown.filter(({ last }) => last < interim.committed).length;
    return { ...interim, words: shown.map(({ word }) => word), committed };
  }
}
