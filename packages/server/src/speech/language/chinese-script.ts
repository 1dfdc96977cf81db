// Converts Chinese text to one script, because models write either one at random.
import { Converter as ToTraditional } from 'opencc-js/cn2t';
import { Converter as ToSimplified } from 'opencc-js/t2cn';

const toSimplified = ToSimplified({ from: 't', to: 'cn' });
const toTraditional = ToTraditional({ from: 'cn', to: 't' });

/** Simplified characters, unless the caller's hint is traditional Chinese. */
export const chooseScript = (text: string, language: string, hint: string | null): string => {
  if (language !== 'zh') return text;
  return hint === 'zh-Hant' ? toTraditional(text) : toSimplified(text);
};
