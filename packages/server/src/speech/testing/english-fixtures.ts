// Makes hypotheses of the English model, for tests of how far they are trusted.

export const said = (averageLogProbability: number, text = 'Hello there again, you.', degenerate = false) => ({
  text,
  averageLogProbability,
  degenerate,
  stoppedEarly: false,
  words: text === '' ? [] : [0.9, 0.9, 0.9, 0.9].map((confidence) => ({ confidence })),
});
