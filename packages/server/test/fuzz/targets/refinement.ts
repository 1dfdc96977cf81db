// Fuzz target of the refinement passes: for any text, the edits are correct and no word is invented.

import { readCorpus } from '../../refine/corpus.ts';
import { checkRefinement } from '../../refine/properties.ts';
import type { FuzzTarget } from '../target.ts';

const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'sv', 'zh', 'ar'] as const;
const SEEDS = 150;
const PIECE_END = '\n';

/** The first byte selects the language; each line after it is a piece. */
const inputOf = (language: string, texts: readonly string[]): Buffer =>
  Buffer.concat([Buffer.from([Math.max(0, LANGUAGES.indexOf(language as 'en'))]), Buffer.from(texts.join(PIECE_END))]);

export const refinementTarget = async (): Promise<FuzzTarget> => {
  const cases = readCorpus();
  const words = [...new Set(cases.flatMap(({ input }) => input.pieces.flatMap(({ text }) => text.split(/\s+/u))))];
  const step = Math.max(1, Math.floor(cases.length / SEEDS));
  return {
    seeds: cases
      .filter((_, nth) => nth % step === 0)
      .map(({ language, input }) =>
        inputOf(
          language,
          input.pieces.map(({ text }) => text),
        ),
      ),
    dictionary: words.map((word) => Buffer.from(` ${word} `).toString('latin1')),
    within: '/src/refine/',
    bytesMax: 400,
    run: (bytes) => {
      const language = LANGUAGES[(bytes[0] ?? 0) % LANGUAGES.length]!;
      const texts = Buffer.from(bytes.subarray(1)).toString('utf8').split(PIECE_END).slice(0, 4);
      checkRefinement(texts, language, [], 1_000);
    },
  };
};
