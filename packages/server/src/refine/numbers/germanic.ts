// The number grammar shared by German and Dutch: the digit comes before the tens, in one word.
import type { Grammar } from './number-language.ts';

export const GERMANIC: Grammar = {
  digitFirst: true,
  tensJoint: 'never',
  jointAfterHundred: true,
  jointAfterScale: true,
  countsByTwenty: false,
  hundredsHeadMax: 99,
};
