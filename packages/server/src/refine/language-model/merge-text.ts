// Aligns the model's text with its input words, so that its changes become edits.
import { commonSubsequence } from '@faircopy/transcript';
import type { ChangeRecord } from '../rewrite.ts';
import { keyOf, render, splitMarks, type Token } from '../token.ts';

/** A word of the model's text. */
type WrittenWord = Pick<Token, 'gap' | 'lead' | 'core' | 'trail' | 'key'>;

const wordsOf = (text: string): WrittenWord[] =>
  [...text.trim().matchAll(/(\s*)(\S+)/gu)].map(([, space = '', chunk = ''], index) => {
    const breaks = space.split('\n').length - 1;
    const gap = index === 0 ? '' : breaks > 1 ? '\n\n' : breaks === 1 ? '\n' : ' ';
    const { lead, core, trail } = splitMarks(chunk);
    return { gap, lead, core, trail, key: keyOf(core) };
  });

const keysOf = (words: readonly WrittenWord[]): string[] => words.map(({ key }) => key);

/** The first new word takes the raw span of the words it replaces; all other new words get an empty span. */
export const mergeText = (source: readonly Token[], text: string): { tokens: Token[]; records: ChangeRecord[] } => {
  const written = wordsOf(text);
  const tokens: Token[] = [];
  const records: ChangeRecord[] = [];
  const first = source[0];
  if (!first) return { tokens, records };
  const record = (rawStart: number, rawEnd: number) =>
    records.push({ pass: 'language-model', reason: 'edited by the language model', rawStart, rawEnd });
  const pairs = commonSubsequence(keysOf(source), keysOf(written));
  let [i, j] = [0, 0];
  for (const [nextI, nextJ] of [...pairs, [source.length, written.length] as const]) {
    const replaced = source.slice(i, nextI);
    const added = written.slice(j, nextJ);
    const place = tokens.at(-1)?.rawEnd ?? first.rawStart;
    const [rawStart, rawEnd] = [replaced[0]?.rawStart ?? place, replaced.at(-1)?.rawEnd ?? place];
    added.forEach((word, n) => {
      const base = replaced[0] ?? tokens.at(-1) ?? first;
      tokens.push({ ...base, ...word, rawStart: n === 0 ? rawStart : rawEnd, rawEnd });
    });
    if (replaced.length + added.length > 0) record(rawStart, rawEnd);
    const [kept, word] = [source[nextI], written[nextJ]];
    if (kept && word) {
      const token = { ...kept, ...word };
      if (render(token) !== render(kept) || token.gap !== kept.gap) record(kept.rawStart, kept.rawEnd);
      tokens.push(token);
    }
    [i, j] = [nextI + 1, nextJ + 1];
  }
  return { tokens, records };
};
