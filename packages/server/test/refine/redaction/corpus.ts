// Measures redaction on hand-written cases: "+" lines have personal data in braces, "-" lines have none.
// "+dates " selects other names than pii; " | " is the border between two finals of a live stream.
import { readFileSync } from 'node:fs';
import { parseRedaction, type RedactedKind, redactedKinds } from '@faircopy/contract';
import { refineSync } from '../../../src/refine/chain.ts';
import { redactRaw } from '../../../src/refine/redaction/redact-chain.ts';

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'] as const;

const folder = new URL(
  import.meta.url.includes('/dist/') ? '../../../../test/refine/redaction/' : './',
  import.meta.url,
);

interface Span {
  readonly start: number;
  readonly end: number;
}

export interface RedactionCase {
  readonly language: string;
  readonly text: string;
  readonly personal: readonly Span[];
  readonly kinds: readonly RedactedKind[];
  /** Start offsets of the finals after the first one. */
  readonly borders: readonly number[];
}

export const PII = redactedKinds(['pii']);
const LINE = /^[+-](?<names>\S*) (?<said>.*)$/u;

const caseOf = (language: string, { names = '', said = '' }: Readonly<Record<string, string>>): RedactionCase => {
  let text = '';
  const personal: Span[] = [];
  const borders: number[] = [];
  for (const part of said.split(/(\{[^}]*\}| \| )/u)) {
    if (part === ' | ') {
      text += ' ';
      borders.push(text.length);
      continue;
    }
    if (!part.startsWith('{')) text += part;
    else {
      personal.push({ start: text.length, end: text.length + part.length - 2 });
      text += part.slice(1, -1);
    }
  }
  const kinds = names === '' ? PII : redactedKinds(parseRedaction(names) ?? []);
  return { language, text, personal, kinds, borders };
};

/** The cases of the corpus, or of another folder. */
export const redactionCases = (from = folder): RedactionCase[] =>
  LANGUAGES.flatMap((language) =>
    readFileSync(new URL(`${language}.txt`, from), 'utf8')
      .split('\n')
      .flatMap((line) => caseOf(language, LINE.exec(line)?.groups ?? {}))
      .filter(({ text }) => text !== ''),
  );

export const inputOf = ({ language, text }: Pick<RedactionCase, 'language' | 'text'>, kinds = PII) => ({
  pieces: [{ text, startMs: 0, endMs: 1000, language, confidence: 1 }],
  language,
  vocabulary: [],
  redaction: { kinds, before: '', isOpenEnd: false, salt: 'salt', known: [] },
});

/** The words of a text, each 250 ms long and 300 ms after the one before. */
export const timedWords = (text: string) =>
  text.split(' ').map((word, n) => ({ text: ` ${word}`, startMs: 300 * n, endMs: 300 * n + 250, confidence: 0.9 }));

export interface RedactionScore {
  readonly cases: number;
  readonly traps: number;
  readonly recall: number;
  readonly precision: number;
  readonly faults: readonly string[];
}

/** Maximum characters next to the personal data that a mark may also cover. */
const EXTRA_CHARACTERS_MAX = 8;

/** Redacts a case, final by final. */
const hide = ({ text, kinds, borders }: RedactionCase, language: string): { shown: string; spans: Span[] } => {
  const [shown, spans] = [[] as string[], [] as Span[]];
  [0, ...borders].forEach((start, n) => {
    const end = borders[n] ?? text.length;
    const { redaction: asked, ...input } = inputOf({ text: text.slice(start, end), language }, kinds);
    const isOpenEnd = end < text.length;
    const final = redactRaw({ ...input, redaction: { ...asked, before: text.slice(0, start), isOpenEnd } });
    shown.push(final.text);
    for (const { rawStart, rawEnd } of final.redaction?.spans ?? [])
      spans.push({ start: start + rawStart, end: start + rawEnd });
  });
  return { shown: shown.join(' | '), spans };
};

/** `languageOf` returns the language that the recogniser reports for a case. */
export const scoreRedaction = (
  languageOf = ({ language }: RedactionCase) => language,
  cases: readonly RedactionCase[] = redactionCases(),
): RedactionScore => {
  const faults: string[] = [];
  let [wanted, hidden, marks, rightMarks] = [0, 0, 0, 0];
  for (const each of cases) {
    const { shown, spans } = hide(each, languageOf(each));
    const isHidden = ({ start, end }: Span) => {
      let at = start;
      for (const span of spans) if (span.start <= at) at = Math.max(at, span.end);
      return at >= end;
    };
    const missed = each.personal.filter((span) => !isHidden(span));
    const wrong = spans.filter((span) => {
      const inside = each.personal.filter(({ start, end }) => span.start < end && start < span.end);
      const covered = inside.reduce(
        (sum, { start, end }) => sum + Math.min(end, span.end) - Math.max(start, span.start),
        0,
      );
      return inside.length === 0 || span.end - span.start - covered > EXTRA_CHARACTERS_MAX;
    });
    wanted += each.personal.length;
    hidden += each.personal.length - missed.length;
    marks += spans.length;
    rightMarks += spans.length - wrong.length;
    if (missed.length > 0 || wrong.length > 0)
      faults.push(`${each.language} ${missed.length > 0 ? 'missed' : 'wrong'}: ${each.text} => ${shown}`);
  }
  return {
    cases: cases.length,
    traps: cases.filter(({ personal }) => personal.length === 0).length,
    recall: hidden / wanted,
    precision: rightMarks / marks,
    faults,
  };
};

/** The standard refinement of a case, without redaction. */
export const refinedText = (each: RedactionCase): string => refineSync({ ...inputOf(each), redaction: undefined }).text;
