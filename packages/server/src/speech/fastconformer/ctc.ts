// Greedy decoding of CTC: the likeliest token of each frame, without repetitions and blanks.
import { argMax } from '../decoding/choose-token.ts';
import type { Emission } from './transducer.ts';
import { type EncodedFrames, rowOf } from './windows.ts';

/** The rows are log-probabilities of the tokens; blank is the last. */
export const decodeCtc = (encoded: EncodedFrames): Emission[] => {
  const blank = encoded.width - 1;
  const emissions: Emission[] = [];
  let before = blank;
  for (let frame = 0; frame < encoded.frames; frame++) {
    const row = rowOf(encoded, frame);
    const token = argMax(row);
    const last = emissions.at(-1);
    if (token === before && token !== blank && last)
      emissions[emissions.length - 1] = { ...last, duration: frame + 1 - last.frame };
    else if (token !== blank) emissions.push({ token, frame, duration: 1, logProbability: row[token]! });
    before = token;
  }
  return emissions;
};
