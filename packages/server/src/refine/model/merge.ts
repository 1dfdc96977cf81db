// Brings the model's text back onto the words of the draft, so that its changes are edits like all others.
import type { Mark } from '../rewrite.ts';
import { keyOf, partsOf, render, type Token } from '../token.ts';

export const MODEL_PASS = 'language-model';

interface Written {
  readonly gap: string;
  readonly chunk: string;
  readonly key: string;
}

const chunksOf = (text: string): Written[] =>
  [...text.trim().matchAll(/(\s*)(\S+)/gu)].map(([, space = '', chunk = ''], index) => {
    const breaks = space.split('\n').length - 1;
    const gap = index === 0 ? '' : breaks > 1 ? '\n\n' : breaks === 1 ? '\n' : ' ';
    return { gap, chunk, key: keyOf(partsOf(chunk).core) };
  });

/** Pairs of places where both lists hold the same word, in order and as many as can be. */
const pairs = (draft: readonly Token[], written: readonly Written[]): [number, number][] => {
  const width = written.length + 1;
  const table = new Uint16Array((draft.length + 1) * width);
  for (let i = draft.length - 1; i >= 0; i--) {
    for (let j = written.length - 1; j >= 0; j--) {
      const equal = draft[i]!.key === written[j]!.key;
      table[i * width + j] = equal
        ? table[(i + 1) * width + j + 1]! + 1
        : Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!);
    }
  }
  const found: [number, number][] = [];
  for (let i = 0, j = 0; i < draft.length && j < written.length; ) {
    if (draft[i]!.key === written[j]!.key) found.push([i++, j++]);
    else if (table[(i + 1) * width + j]! >= table[i * width + j + 1]!) i += 1;
    else j += 1;
  }
  return found;
};

/** Words of the model take over the raw span of the words they replace; a word it added has none. */
export const mergeModelText = (draft: readonly Token[], text: string): { tokens: Token[]; marks: Mark[] } => {
  const written = chunksOf(text);
  const tokens: Token[] = [];
  const marks: Mark[] = [];
  const first = draft[0];
  if (!first) return { tokens, marks };
  const mark = (rawStart: number, rawEnd: number) =>
    marks.push({ pass: MODEL_PASS, reason: 'edited by the language model', rawStart, rawEnd });
  const dress = (base: Token, { gap, chunk }: Written): Token => ({
    ...base,
    ...partsOf(chunk),
    key: keyOf(partsOf(chunk).core),
    gap,
  });
  let [i, j] = [0, 0];
  for (const [nextI, nextJ] of [...pairs(draft, written), [draft.length, written.length] as const]) {
    const replaced = draft.slice(i, nextI);
    const added = written.slice(j, nextJ);
    const place = tokens.at(-1)?.rawEnd ?? first.rawStart;
    const [rawStart, rawEnd] = [replaced[0]?.rawStart ?? place, replaced.at(-1)?.rawEnd ?? place];
    added.forEach((word, n) => {
      const base = replaced[0] ?? tokens.at(-1) ?? first;
      tokens.push({ ...dress(base, word), rawStart: n === 0 ? rawStart : rawEnd, rawEnd });
    });
    if (replaced.length + added.length > 0) mark(rawStart, rawEnd);
    const [kept, word] = [draft[nextI], written[nextJ]];
    if (kept && word) {
      const dressed = dress(kept, word);
      if (render(dressed) !== render(kept) || dressed.gap !== kept.gap) mark(kept.rawStart, kept.rawEnd);
      tokens.push(dressed);
    }
    [i, j] = [nextI + 1, nextJ + 1];
  }
  return { tokens, marks };
};
