// Words of a FastConformer hypothesis; their times are the frames in which their tokens were found.
import type { Hypothesis } from '../acoustic/acoustic-model.ts';
import type { RecognisedWord } from '../recogniser.ts';
import { untimedWords, wordsOf } from '../words/words.ts';
import type { FastConformerHypothesis } from './transcribe.ts';
import type { Vocabulary } from './vocabulary.ts';

export const fastConformerWords = (vocabulary: Vocabulary, hypothesis: Hypothesis): RecognisedWord[] =>
  untimedWords(vocabulary.pieces(hypothesis.tokens), hypothesis);

export const fastConformerWordTimes = (
  vocabulary: Vocabulary,
  { tokens, logProbabilities, terms, places }: FastConformerHypothesis,
  { frameMs, audioMs }: { readonly frameMs: number; readonly audioMs: number },
): RecognisedWord[] =>
  wordsOf(
    vocabulary.pieces(tokens).map((text, i) => {
      const { frame = 0, duration = 1 } = places[i] ?? {};
      // A token without a duration lasts until the next one, at most one frame.
      const next = places[i + 1]?.frame ?? Number.POSITIVE_INFINITY;
      const end = duration > 0 ? frame + duration : Math.min(frame + 1, Math.max(frame, next));
      return {
        text,
        startMs: Math.min(audioMs, frame * frameMs),
        endMs: Math.min(audioMs, end * frameMs),
        logProbability: logProbabilities[i] ?? 0,
      };
    }),
    terms,
  );
