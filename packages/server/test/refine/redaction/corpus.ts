// Recall and precision of redaction over hand-written cases: "+" lines have personal data in braces, "-" lines have none.
import { readFileSync } from 'node:fs';
import { redactedKinds } from '@faircopy/contract';
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
}

const caseOf = (language: string, line: string): RedactionCase => {
  let text = '';
  const personal: Span[] = [];
  for (const part of line.slice(2).split(/(\{[^}]*\})/u)) {
    if (!part.startsWith('{')) text += part;
    else {
      personal.push({ start: text.length, end: text.length + part.length - 2 });
      text += part.slice(1, -1);
    }
  }
  return { language, text, personal };
};

export const redactionCases = (): RedactionCase[] =>
  LANGUAGES.flatMap((language) =>
    readFileSync(new URL(`${language}.txt`, folder), 'utf8')
      .split('\n')
      .filter((line) => /^[+-] /u.test(line))
      .map((line) => caseOf(language, line)),
  );

export const inputOf = (
  { language, text }: Pick<RedactionCase, 'language' | 'text'>,
  kinds = redactedKinds(['pii']),
) => ({
  pieces: [{ text, startMs: 0, endMs: 1000, language, confidence: 1 }],
  language,
  vocabulary: [],
  redaction: { kinds, before: '', isOpenEnd: false, salt: 'salt', known: [] },
});

export interface RedactionScore {
  readonly cases: number;
  readonly traps: number;
  readonly recall: number;
  readonly precision: number;
  readonly faults: readonly string[];
}

/** Words that a mark may take with it from beside the personal data. */
const EXTRA_CHARACTERS_MAX = 8;

/** `languageOf` names the language that the recogniser reports for a case. */
export const scoreRedaction = (languageOf = ({ language }: RedactionCase) => language): RedactionScore => {
  const [cases, faults] = [redactionCases(), [] as string[]];
  let [wanted, hidden, marks, rightMarks] = [0, 0, 0, 0];
  for (const each of cases) {
    const { text, redaction } = redactRaw(inputOf({ text: each.text, language: languageOf(each) }));
    const spans = redaction?.spans ?? [];
    const isHidden = ({ start, end }: Span) => {
      let at = start;
      for (const { rawStart, rawEnd } of spans) if (rawStart <= at) at = Math.max(at, rawEnd);
      return at >= end;
    };
    const missed = each.personal.filter((span) => !isHidden(span));
    const wrong = spans.filter(({ rawStart, rawEnd }) => {
      const inside = each.personal.filter(({ start, end }) => rawStart < end && start < rawEnd);
      const covered = inside.reduce(
        (sum, { start, end }) => sum + Math.min(end, rawEnd) - Math.max(start, rawStart),
        0,
      );
      return inside.length === 0 || rawEnd - rawStart - covered > EXTRA_CHARACTERS_MAX;
    });
    wanted += each.personal.length;
    hidden += each.personal.length - missed.length;
    marks += spans.length;
    rightMarks += spans.length - wrong.length;
    if (missed.length > 0 || wrong.length > 0)
      faults.push(`${each.language} ${missed.length > 0 ? 'missed' : 'wrong'}: ${each.text} => ${text}`);
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
