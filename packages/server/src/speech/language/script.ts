// Chinese comes out of Whisper in either script at random: one of them is chosen here.
import { Converter } from 'opencc-js/t2cn';

const toSimplified = Converter({ from: 't', to: 'cn' });
const TRADITIONAL_TAG = /^(zh[-_](hant|tw|hk|mo)|yue)/i;

/** Chinese text in simplified letters, unless the caller's hint asks for the traditional ones. */
export const settleScript = (text: string, language: string, hint: string | null): string =>
  language === 'zh' && !(hint && TRADITIONAL_TAG.test(hint)) ? toSimplified(text) : text;
