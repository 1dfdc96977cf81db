// Renders refined words as text and as the list of edits to the raw text.
import type { Edit } from './refiner.ts';
import type { ChangeRecord } from './rewrite.ts';
import { render, type Token } from './token.ts';

interface Difference {
  rawStart: number;
  rawEnd: number;
  after: string;
}

/** Differences from the raw text; adjacent ones are merged. */
export const differencesOf = (rawText: string, tokens: readonly Token[]): Difference[] => {
  const found: Difference[] = [];
  const compare = (rawStart: number, rawEnd: number, after: string) => {
    if (rawText.slice(rawStart, rawEnd) === after) return;
    const last = found.at(-1);
    if (last && last.rawEnd === rawStart) {
      last.rawEnd = rawEnd;
      last.after += after;
    } else found.push({ rawStart, rawEnd, after });
  };
  let end = 0;
  for (const token of tokens) {
    compare(end, token.rawStart, token.gap);
    compare(token.rawStart, token.rawEnd, render(token));
    end = token.rawEnd;
  }
  compare(end, rawText.length, '');
  return found;
};

/** Sorted edits without overlaps that turn the raw text into the refined text. */
export const editsOf = (rawText: string, tokens: readonly Token[], records: readonly ChangeRecord[]): Edit[] => {
  const byStart = [...records].sort((a, b) => a.rawStart - b.rawStart);
  const edits: Edit[] = [];
  let open: ChangeRecord[] = [];
  let next = 0;
  for (const { rawStart, rawEnd, after } of differencesOf(rawText, tokens)) {
    while (next < byStart.length && byStart[next]!.rawStart <= rawEnd) open.push(byStart[next++]!);
    open = open.filter((record) => record.rawEnd >= rawStart);
    const overlapping = open.filter((record) => record.rawStart < rawEnd && record.rawEnd > rawStart);
    const causes = overlapping.length > 0 ? overlapping : open;
    edits.push({
      pass: [...new Set(causes.map(({ pass }) => pass))].join('+') || 'spacing',
      reason: [...new Set(causes.map(({ reason }) => reason))].join('; ') || 'spacing',
      before: rawText.slice(rawStart, rawEnd),
      after,
      rawStart,
      rawEnd,
    });
  }
  return edits;
};

export const textOf = (tokens: readonly Token[]): string => tokens.map((token) => token.gap + render(token)).join('');

export const applyEdits = (rawText: string, edits: readonly Edit[]): string => {
  let text = '';
  let end = 0;
  for (const edit of edits) {
    text += rawText.slice(end, edit.rawStart) + edit.after;
    end = edit.rawEnd;
  }
  return text + rawText.slice(end);
};
