// In which script is Chinese written? Models use either at random; one of them is chosen here.
import { Converter as ToTraditional } from 'opencc-js/cn2t';
import { Converter as ToSimplified } from 'opencc-js/t2cn';

const toSimplified = ToSimplified({ from: 't', to: 'cn' });
const toTraditional = ToTraditional({ from: 'cn', to: 't' });

/** Chinese text in simplified letters, unless the caller's hint asks for the traditional ones. */
export const chooseScript = (text: string, language: string, hint: string | null): string => {
  if (language !== 'zh') return text;
  return hint === 'zh-Hant' ? toTraditional(text) : toSimplified(text);
};
