// Reads the corpus: one file per kind, one case per line, with the raw text and what a careful editor would write.
import { readdirSync, readFileSync } from 'node:fs';
import type { RefineInput, SpokenPiece } from '../../src/refine/refiner.ts';

export interface Case {
  readonly kind: string;
  readonly language: string;
  readonly input: RefineInput;
  readonly expected: string;
  /** True if the text must stay unchanged. */
  readonly trap: boolean;
  readonly line: string;
}

/** The files are next to the source; the compiled test runs from dist. */
const folder = new URL(
  import.meta.url.includes('/dist/') ? '../../../test/refine/corpus/' : 'corpus/',
  import.meta.url,
);

const unescaped = (text: string): string => text.replaceAll('\\n', '\n');
const PAUSE = / \|(-?\d+)\| /u;
const WINDOW_MS = 5000;

const inputOf = (raw: string, language: string): RefineInput => {
  const parts = raw.split(PAUSE);
  const pieces: SpokenPiece[] = [];
  let clockMs = 0;
  parts.forEach((part, index) => {
    if (index % 2 === 1) clockMs += Number(part);
    else {
      pieces.push({ text: unescaped(part), startMs: clockMs, endMs: clockMs + WINDOW_MS, language, confidence: 1 });
      clockMs += WINDOW_MS;
    }
  });
  return { pieces, language, vocabulary: [] };
};

/** `en | raw => expected` is an edit, `en = text` a trap. `|120|` in raw is a pause of 120 ms between windows. */
const caseOf = (kind: string, line: string): Case | null => {
  const [, language = '', sign, rest = ''] = /^([a-z]{2,3}) ([|=]) ?(.*)$/u.exec(line) ?? [];
  if (!sign) return null;
  const [raw = '', expected = ''] = sign === '=' ? [rest, rest] : rest.split(/ => ?/u);
  return { kind, language, line, trap: sign === '=', input: inputOf(raw, language), expected: unescaped(expected) };
};

export const readCorpus = (): Case[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .flatMap((name) =>
      readFileSync(new URL(name, folder), 'utf8')
        .split('\n')
        .map((line) => caseOf(name.replace('.txt', ''), line))
        .filter((found) => found !== null),
    );
