// An acoustic model that hears the same text in every window.
import type { AcousticModel, Hypothesis, MultilingualModel } from '../acoustic/acoustic-model.ts';

const transcriptOf = (text: string, averageLogProbability: number): Hypothesis => ({
  text,
  averageLogProbability,
  noSpeechProbability: 0,
  degenerate: false,
  stoppedEarly: false,
  tokens: [1],
  logProbabilities: [averageLogProbability],
});

/** A model with a fixed hypothesis, and a record of its calls. */
export const fixedModel = (text: string, averageLogProbability = -0.1) => {
  const asked: { draft?: string }[] = [];
  let partsAsked = 0;
  const words = ({ text: said }: Hypothesis) =>
    said.split(' ').map((word, i) => ({ text: word, startMs: i * 100, endMs: i * 100 + 90, confidence: 0.9 }));
  const speech = {
    transcribe: async (options: { draft?: string }) => {
      asked.push(options);
      return transcriptOf(text, averageLogProbability);
    },
    words,
    wordTimes: async (hypothesis: Hypothesis) => words(hypothesis),
    detectLanguage: async (part?: object) => {
      if (part) partsAsked += 1;
      return new Map([['en', 0.99]]);
    },
  };
  const made = { languages: new Set(['de', 'en']), detectsLanguage: true, encode: async () => speech };
  return { asked, partsAsked: () => partsAsked, made: made as unknown as AcousticModel & MultilingualModel };
};
