// Replaces personal data by marks, in the raw text and in the refined words.
import { createHmac } from 'node:crypto';
import type { RedactedKind } from '@faircopy/contract';
import type { ChangeRecord } from '../rewrite.ts';
import { keyOf, type Token } from '../token.ts';
import { detect } from './detect.ts';
import { openEnd, openStart } from './open-ends.ts';
import { otherReadings } from './other-readings.ts';
import { PROFANITY_MARK } from './profanity/profanity.ts';
import type { RedactedSpan, Redaction, RedactionInput } from './redaction.ts';
import { closingMarks, overlapping, RedactedOffsets, united, widened } from './spans.ts';
import type { Entity } from './spoken-text.ts';

/** The maximum number of remembered values. Beyond it, equal values get different numbers. */
const KNOWN_MAX = 2_000;

interface RawEntity {
  readonly kind: RedactedKind;
  readonly value: string;
  readonly rawStart: number;
  readonly rawEnd: number;
}

interface Reading {
  readonly tokens: readonly Token[];
  /** The offset of its tokens. */
  readonly offset: number;
  readonly kinds: ReadonlySet<RedactedKind>;
}

/** Whether two readings have the same words at the same places, so that the same is found in both. */
const isSame = (one: Reading, other: Reading): boolean =>
  one.offset === other.offset &&
  one.tokens.length === other.tokens.length &&
  one.tokens.every((token, n) => {
    const { core, trail, language, rawStart, rawEnd } = other.tokens[n]!;
    const isPlacedAs = token.rawStart === rawStart && token.rawEnd === rawEnd;
    return isPlacedAs && token.core === core && token.trail === trail && token.language === language;
  });

const distinct = (readings: readonly Reading[]): Reading[] =>
  readings.filter((one, n) => !readings.slice(0, n).some((other) => isSame(one, other)));

const rawEntities = (
  { tokens, offset }: Reading,
  entities: readonly (Entity | null)[],
  { from, to }: { readonly from: number; readonly to: number },
): RawEntity[] =>
  entities.flatMap((entity) => {
    if (!entity) return [];
    const covered = tokens.slice(entity.from, entity.to);
    const rawStart = Math.max(from, offset + Math.min(...covered.map((token) => token.rawStart)));
    const rawEnd = Math.min(to, offset + Math.max(...covered.map((token) => token.rawEnd)));
    return rawStart < rawEnd ? [{ kind: entity.kind, value: entity.value, rawStart, rawEnd }] : [];
  });

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
  // Other readings ignore profanity, because a harmless word in one language may be profane in another.
  const personal = new Set([...kinds].filter((kind) => kind !== 'profanity'));
  const readings = distinct([
    { tokens: refined, offset: 0, kinds },
    { tokens: shown, offset, kinds },
    { tokens: raw, offset: 0, kinds },
    ...otherReadings(raw).map((tokens) => ({ tokens, offset: 0, kinds: personal })),
  ]);
  const found = readings.flatMap((reading) => {
    const { tokens, kinds } = reading;
    const border = tokens.findIndex(({ rawStart }) => reading.offset + rawStart >= offset);
    const open = input.isOpenEnd ? openEnd(tokens, kinds) : null;
    const continued = border === -1 ? null : openStart(tokens, border, kinds);
    return rawEntities(reading, [...detect(tokens, kinds), open, continued], within);
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
    const index = overlapping(spans, token.rawStart, token.rawEnd);
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
