// Replaces personal data by marks, in the raw text and in the refined words.
import { createHmac } from 'node:crypto';
import type { RedactedKind } from '@faircopy/contract';
import type { ChangeRecord } from '../rewrite.ts';
import { hasText, keyOf, splitMarks, type Token } from '../token.ts';
import { detect } from './detect.ts';
import { openEnd, openStart } from './open-ends.ts';
import { otherReadings } from './other-readings.ts';
import { PROFANITY_MARK } from './profanity/profanity.ts';
import type { RedactedSpan, Redaction, RedactionInput } from './redaction.ts';
import type { Entity } from './spoken-text.ts';

/** The maximum number of remembered values. Beyond it, equal values get different numbers. */
const KNOWN_MAX = 2_000;

interface RawEntity {
  readonly kind: RedactedKind;
  readonly value: string;
  rawStart: number;
  rawEnd: number;
}

const rawEntities = (
  tokens: readonly Token[],
  entities: readonly (Entity | null)[],
  { from, to }: { readonly from: number; readonly to: number },
): RawEntity[] =>
  entities.flatMap((entity) => {
    if (!entity) return [];
    const covered = tokens.slice(entity.from, entity.to);
    const rawStart = Math.max(from, Math.min(...covered.map((token) => token.rawStart)));
    const rawEnd = Math.min(to, Math.max(...covered.map((token) => token.rawEnd)));
    return rawStart < rawEnd ? [{ kind: entity.kind, value: entity.value, rawStart, rawEnd }] : [];
  });

/** Sorts the entities and merges overlapping ones. The first one listed determines the kind and the value. */
const united = (entities: readonly RawEntity[]): RawEntity[] => {
  const found: RawEntity[] = [];
  for (const entity of entities) {
    const same = found.filter((other) => entity.rawStart < other.rawEnd && other.rawStart < entity.rawEnd);
    const [first] = same;
    if (!first) {
      found.push({ ...entity });
      continue;
    }
    first.rawStart = Math.min(entity.rawStart, ...same.map(({ rawStart }) => rawStart));
    first.rawEnd = Math.max(entity.rawEnd, ...same.map(({ rawEnd }) => rawEnd));
    for (const other of same.slice(1)) found.splice(found.indexOf(other), 1);
  }
  return found.sort((one, other) => one.rawStart - other.rawStart);
};

/** Extends each entity to whole words of every reading of the text. */
const widened = (entities: readonly RawEntity[], readings: readonly (readonly Token[])[]): RawEntity[] => {
  let wide = entities;
  for (;;) {
    const next = wide.map((entity) => {
      let { rawStart, rawEnd } = entity;
      for (const tokens of readings)
        for (const token of tokens) {
          if (token.rawStart >= rawEnd || token.rawEnd <= rawStart) continue;
          rawStart = Math.min(rawStart, token.rawStart);
          rawEnd = Math.max(rawEnd, token.rawEnd);
        }
      return { ...entity, rawStart, rawEnd };
    });
    const joined = united(next);
    const isStable =
      joined.length === wide.length &&
      joined.every(({ rawStart, rawEnd }, n) => rawStart === wide[n]!.rawStart && rawEnd === wide[n]!.rawEnd);
    if (isStable) return joined;
    wide = joined;
  }
};

/** Gives equal values equal marks: `[CARD_1]`, `[CARD_2]`. */
class Marks {
  readonly #salt: string;
  readonly #known: Map<string, string>;
  readonly #counts = new Map<RedactedKind, number>();

  constructor({ salt, known }: RedactionInput) {
    this.#salt = salt;
    this.#known = new Map(known);
    for (const [, mark] of known) {
      const [, name = '', number = '0'] = /^\[(\w+)_(\d+)\]$/u.exec(mark) ?? [];
      const kind = name.toLowerCase() as RedactedKind;
      this.#counts.set(kind, Math.max(this.#counts.get(kind) ?? 0, Number(number)));
    }
  }

  of({ kind, value }: RawEntity): string {
    if (kind === 'profanity') return PROFANITY_MARK;
    const hash = createHmac('sha256', this.#salt).update(`${kind} ${value}`).digest('base64url').slice(0, 16);
    const known = this.#known.get(hash);
    if (known !== undefined) return known;
    const number = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, number);
    const mark = `[${kind.toUpperCase()}_${number}]`;
    if (this.#known.size < KNOWN_MAX) this.#known.set(hash, mark);
    return mark;
  }

  get known(): RedactionInput['known'] {
    return [...this.#known];
  }
}

/** The raw and the refined words of a text, both preceded by its context. */
interface Readings {
  readonly raw: readonly Token[];
  readonly refined: readonly Token[];
  /** The offset at which the text itself starts. */
  readonly offset: number;
  readonly end: number;
}

export const findPersonal = (
  { raw, refined, offset, end }: Readings,
  shown: readonly Token[],
  input: RedactionInput,
): Redaction => {
  const kinds = new Set(input.kinds);
  const within = { from: offset, to: end };
  const placed = shown.map((token) => ({
    ...token,
    rawStart: token.rawStart + offset,
    rawEnd: token.rawEnd + offset,
  }));
  const others = otherReadings(raw);
  // Other readings ignore profanity, because a harmless word in one language may be profane in another.
  const personal = new Set([...kinds].filter((kind) => kind !== 'profanity'));
  const found = [refined, placed, raw, ...others].flatMap((tokens) => {
    const wanted = others.includes(tokens) ? personal : kinds;
    const border = tokens.findIndex(({ rawStart }) => rawStart >= offset);
    const open = input.isOpenEnd ? openEnd(tokens, wanted) : null;
    const continued = border === -1 ? null : openStart(tokens, border, wanted);
    return rawEntities(tokens, [...detect(tokens, wanted), open, continued], within);
  });
  const own = united(found).map((entity) => ({
    ...entity,
    rawStart: entity.rawStart - offset,
    rawEnd: entity.rawEnd - offset,
  }));
  const marks = new Marks(input);
  const ownRaw = raw
    .filter(({ rawStart }) => rawStart >= offset)
    .map((token) => ({ ...token, rawStart: token.rawStart - offset, rawEnd: token.rawEnd - offset }));
  const spans = widened(own, [ownRaw, shown]).map((entity) => ({
    rawStart: entity.rawStart,
    rawEnd: entity.rawEnd,
    mark: marks.of(entity),
  }));
  return { spans, known: marks.known };
};

/** A token of only punctuation closes the words before it, as in French "4242 !". */
const closingMarks = (token: Pick<Token, 'core' | 'trail'>): string =>
  hasText(token) ? token.trail : token.core + token.trail;

/** The text that replaces a span: the mark, with the span's own opening and closing punctuation. */
const replacementOf = (rawText: string, { rawStart, rawEnd, mark }: RedactedSpan): string => {
  const chunks = rawText.slice(rawStart, rawEnd).split(/\s+/u);
  const { lead } = splitMarks(chunks[0] ?? '');
  return `${lead}${mark}${closingMarks(splitMarks(chunks.at(-1) ?? ''))}`;
};

/** Maps offsets in the raw text to offsets in the redacted text. */
export class RedactedOffsets {
  readonly #rawText: string;
  readonly #spans: readonly (RedactedSpan & { readonly written: string })[];
  readonly text: string;

  constructor(rawText: string, spans: readonly RedactedSpan[]) {
    this.#rawText = rawText;
    this.#spans = spans.map((span) => ({ ...span, written: replacementOf(rawText, span) }));
    this.text = this.between(0, rawText.length);
  }

  /** Maps an offset inside a redacted span to the start or the end of its mark. */
  at(offset: number, side: 'start' | 'end'): number {
    let shift = 0;
    for (const span of this.#spans) {
      if (span.rawStart >= offset) break;
      const { length } = span.written;
      if (offset < span.rawEnd) return span.rawStart + shift + (side === 'start' ? 0 : length);
      shift += length - (span.rawEnd - span.rawStart);
    }
    return offset + shift;
  }

  /** The redacted text between two raw offsets. Omits the mark of a span that starts before `start`. */
  between(start: number, end: number): string {
    let text = '';
    let from = start;
    for (const span of this.#spans) {
      if (span.rawEnd <= start) continue;
      if (span.rawStart >= end) break;
      text += this.#rawText.slice(from, Math.max(from, span.rawStart));
      if (span.rawStart >= start) text += span.written;
      from = Math.min(end, Math.max(from, span.rawEnd));
    }
    return text + this.#rawText.slice(from, end);
  }
}

interface RedactableText {
  readonly rawText: string;
  readonly tokens: readonly Token[];
  readonly records: readonly ChangeRecord[];
}

/** Redacts the raw text, the tokens and the change records of a text. */
export const redactText = <Text extends RedactableText>(text: Text, spans: readonly RedactedSpan[]): Text => {
  const offsets = new RedactedOffsets(text.rawText, spans);
  const tokens: Token[] = [];
  let written = -1;
  for (const token of text.tokens) {
    const index = spans.findIndex(({ rawStart, rawEnd }) => token.rawStart < rawEnd && token.rawEnd > rawStart);
    const rawStart = offsets.at(token.rawStart, 'start');
    const rawEnd = offsets.at(token.rawEnd, 'end');
    const span = spans[index];
    if (!span) tokens.push({ ...token, rawStart, rawEnd });
    else if (index !== written) {
      const start = offsets.at(span.rawStart + 1, 'start');
      const end = offsets.at(span.rawEnd, 'end');
      tokens.push({ ...token, core: span.mark, key: keyOf(span.mark), rawStart: start, rawEnd: end });
      written = index;
    } else tokens[tokens.length - 1] = { ...tokens.at(-1)!, trail: closingMarks(token) };
  }
  const records = text.records.map((record) => ({
    ...record,
    rawStart: offsets.at(record.rawStart, 'start'),
    rawEnd: offsets.at(record.rawEnd, 'end'),
  }));
  return { ...text, rawText: offsets.text, tokens, records };
};
