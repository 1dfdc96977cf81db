// Measures custom vocabulary: how many terms are recovered, and how many ordinary words are damaged.
import { readFileSync } from 'node:fs';
import { refineSync } from '../../src/refine/chain.ts';
import { textInput } from '../../src/refine/refiner.ts';
import { loadOrdinary } from '../../src/refine/vocabulary/ordinary.ts';

const file = new URL(
  import.meta.url.includes('/dist/') ? '../../../test/refine/vocabulary.txt' : 'vocabulary.txt',
  import.meta.url,
);

export interface VocabularyScore {
  readonly recovered: number;
  readonly misheard: number;
  readonly missed: readonly string[];
  readonly damaged: readonly string[];
  readonly ordinaryWords: number;
}

/** Lines of `term <= sentence with [what was heard]`, and lines of `= ordinary sentence`. */
export const scoreVocabulary = async (ordinaryTexts: readonly string[] = []): Promise<VocabularyScore> => {
  const isOrdinary = await loadOrdinary();
  const lines = readFileSync(file, 'utf8').split('\n');
  const misheard = lines.map((line) => /^(.+) <= (.+)$/u.exec(line)).filter((match) => match !== null);
  const vocabulary = [...new Set(misheard.map(([, term = '']) => term))];
  const refine = (text: string, terms: readonly string[]) =>
    refineSync({ ...textInput(text, 'en'), vocabulary: terms.map((term) => ({ text: term })) }, isOrdinary);
  const missed = misheard.filter(([, term = '', sentence = '']) => {
    const { text } = refine(sentence.replace(/[[\]]/gu, ''), vocabulary);
    const wanted = refine(sentence.replace(/\[.*\]/u, 'TERM'), []).text.replace('TERM', term);
    return text !== wanted;
  });
  const ordinary = [...lines.filter((line) => line.startsWith('= ')).map((line) => line.slice(2)), ...ordinaryTexts];
  // Writing a term with its capitals is not damage, because the word was the term.
  const differs = (before: string, after: string) => before.toLowerCase() !== after.toLowerCase().replace(/\.$/u, '');
  const damaged = ordinary.flatMap((text) =>
    refine(text, vocabulary)
      .edits.filter(({ pass, before, after }) => pass.includes('vocabulary') && differs(before, after))
      .map(({ before, after }) => `${before} → ${after}`),
  );
  return {
    recovered: misheard.length - missed.length,
    misheard: misheard.length,
    missed: missed.map(([line]) => line),
    damaged,
    ordinaryWords: ordinary.reduce((sum, text) => sum + text.split(/\s+/u).length, 0),
  };
};
