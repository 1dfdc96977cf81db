// Spans of the raw text: merges them, finds them, and maps offsets to the redacted text. All by binary search.
import { firstIndex } from '../../lib/first-index.ts';
import { hasText, splitMarks, type Token } from '../token.ts';
import type { RedactedSpan } from './redaction.ts';

interface Span {
  rawStart: number;
  rawEnd: number;
}

/** Sorts spans, none of them empty, and merges overlapping ones. The first one listed determines all other properties. */
export const united = <Each extends Readonly<Span>>(spans: readonly Each[]): Each[] => {
  const sorted = spans
    .map((span, listed) => ({ span, listed }))
    .sort((one, next) => one.span.rawStart - next.span.rawStart);
  const merged: (Span & { span: Each; listed: number })[] = [];
  for (const { span, listed } of sorted) {
    const last = merged.at(-1);
    if (!last || span.rawStart >= last.rawEnd) {
      merged.push({ span, listed, rawStart: span.rawStart, rawEnd: span.rawEnd });
      continue;
    }
    last.rawEnd = Math.max(last.rawEnd, span.rawEnd);
    if (listed < last.listed) {
      last.span = span;
      last.listed = listed;
    }
  }
  return merged.map(({ span, rawStart, rawEnd }) => ({ ...span, rawStart, rawEnd }));
};

/** Index of the first span that overlaps a stretch of the text; -1 if none does. The spans are sorted and apart. */
export const overlapping = (spans: readonly Readonly<Span>[], start: number, end: number): number => {
  const index = firstIndex(spans, ({ rawEnd }) => rawEnd > start);
  return index < spans.length && spans[index]!.rawStart < end ? index : -1;
};

/** Extends each entity, sorted and apart, to whole words of every reading of the text. */
export const widened = <Each extends Readonly<Span>>(
  entities: readonly Each[],
  readings: readonly (readonly Token[])[],
): Each[] => {
  // Words of two readings may overlap in a chain, and an entity that touches one of them covers them all.
  const blocks = united(
    readings.flatMap((tokens) =>
      tokens.filter(({ rawStart, rawEnd }) => rawStart < rawEnd).map(({ rawStart, rawEnd }) => ({ rawStart, rawEnd })),
    ),
  );
  const wide = entities.map((entity) => {
    const { rawStart, rawEnd } = entity;
    const first = blocks[overlapping(blocks, rawStart, rawEnd)];
    if (!first) return entity;
    const last = blocks[firstIndex(blocks, (block) => block.rawStart >= rawEnd) - 1]!;
    return { ...entity, rawStart: Math.min(rawStart, first.rawStart), rawEnd: Math.max(rawEnd, last.rawEnd) };
  });
  return united(wide);
};

/** A token of only punctuation closes the words before it, as in French "4242 !". */
export const closingMarks = (token: Pick<Token, 'core' | 'trail'>): string =>
  hasText(token) ? token.trail : token.core + token.trail;

/** The text that replaces a span: the mark, with the span's own opening and closing punctuation. */
const replacementOf = (rawText: string, { rawStart, rawEnd, mark }: RedactedSpan): string => {
  const chunks = rawText.slice(rawStart, rawEnd).split(/\s+/u);
  const { lead } = splitMarks(chunks[0] ?? '');
  return `${lead}${mark}${closingMarks(splitMarks(chunks.at(-1) ?? ''))}`;
};

interface WrittenSpan extends RedactedSpan {
  readonly written: string;
  /** How much longer the redacted text before the span is than the raw text. */
  readonly shift: number;
}

const writtenSpans = (rawText: string, spans: readonly RedactedSpan[]): WrittenSpan[] => {
  let shift = 0;
  return spans.map((span) => {
    const written = replacementOf(rawText, span);
    const before = shift;
    shift += written.length - (span.rawEnd - span.rawStart);
    return { ...span, written, shift: before };
  });
};

/** Maps offsets in the raw text to offsets in the redacted text. The spans are sorted and apart. */
export class RedactedOffsets {
  readonly #rawText: string;
  readonly #spans: readonly WrittenSpan[];
  readonly text: string;

  constructor(rawText: string, spans: readonly RedactedSpan[]) {
    this.#rawText = rawText;
    this.#spans = writtenSpans(rawText, spans);
    this.text = this.between(0, rawText.length);
  }

  /** Maps an offset inside a redacted span to the start or the end of its mark. */
  at(offset: number, side: 'start' | 'end'): number {
    const span = this.#spans[firstIndex(this.#spans, ({ rawStart }) => rawStart >= offset) - 1];
    if (!span) return offset;
    const { rawStart, rawEnd, written, shift } = span;
    if (offset < rawEnd) return rawStart + shift + (side === 'start' ? 0 : written.length);
    return offset + shift + written.length - (rawEnd - rawStart);
  }

  /** The redacted text between two raw offsets. Omits the mark of a span that starts before `start`. */
  between(start: number, end: number): string {
    let text = '';
    let from = start;
    for (let index = firstIndex(this.#spans, ({ rawEnd }) => rawEnd > start); index < this.#spans.length; index++) {
      const span = this.#spans[index]!;
      if (span.rawStart >= end) break;
      text += this.#rawText.slice(from, Math.max(from, span.rawStart));
      if (span.rawStart >= start) text += span.written;
      from = Math.min(end, Math.max(from, span.rawEnd));
    }
    return text + this.#rawText.slice(from, end);
  }
}
