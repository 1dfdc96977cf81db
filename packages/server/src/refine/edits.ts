// From the words of the fair copy back to the raw text: the text itself, and the edits that lead to it.
import type { Edit } from './refiner.ts';
import type { Mark } from './rewrite.ts';
import { render, type Token } from './token.ts';

interface Difference {
  rawStart: number;
  rawEnd: number;
  after: string;
}

/** Joins neighbouring differences, so that one change of several words is one edit. */
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

/** Edits in order, none overlapping: put each `after` in place of its span and the raw text becomes the text. */
export const editsOf = (rawText: string, tokens: readonly Token[], marks: readonly Mark[]): Edit[] => {
  const byStart = [...marks].sort((a, b) => a.rawStart - b.rawStart);
  const edits: Edit[] = [];
  let live: Mark[] = [];
  let next = 0;
  for (const { rawStart, rawEnd, after } of differencesOf(rawText, tokens)) {
    while (next < byStart.length && byStart[next]!.rawStart <= rawEnd) live.push(byStart[next++]!);
    live = live.filter((mark) => mark.rawEnd >= rawStart);
    const strictly = live.filter((mark) => mark.rawStart < rawEnd && mark.rawEnd > rawStart);
    const causes = strictly.length > 0 ? strictly : live;
    edits.push({
      pass: [...new Set(causes.map((mark) => mark.pass))].join('+') || 'spacing',
      reason: [...new Set(causes.map((mark) => mark.reason))].join('; ') || 'spaces by the rules of the script',
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
