// Distinguishes "the work order 5561 20 7734", where a noun names the number, from "it is 5561 20 7734".
import { isCommon, languageOf } from '../../language.ts';
import { isCapitalised, type Token } from '../../token.ts';
import { wordsOfAll } from '../../words.ts';
import type { SpokenText } from '../spoken-text.ts';

/** Without "my", because "my" announces a personal number. */
const ARTICLES = wordsOfAll({
  en: 'the a this that your our',
  de: 'der die das den dem des ein eine einen dieser diese dieses ihr ihre ihren unser unsere',
  es: 'el la los las un una este esta su nuestro nuestra',
  fr: 'le la les un une ce cette votre notre du au',
  it: 'il lo la i gli le un una questo questa suo sua nostro nostra',
  pt: 'o a os as um uma este esta seu sua nosso nossa',
  nl: 'de het een dit deze uw onze ons',
});
const OF = wordsOfAll({ en: 'of', es: 'de del', fr: 'de du des', it: 'di del della', pt: 'de do da' });
/** "the screen shows", "the deposit into" */
const NOT_NOUNS = wordsOfAll({
  en: `says said reads read shows showed has had goes begins starts gives gave was were into onto off over via through under
    about around after before until again instead please now here there`,
});
const ANY_NUMBER = wordsOfAll({
  en: 'number one following digits',
  de: 'nummer folgende ziffern',
  es: 'número siguiente',
  fr: 'numéro suivant',
  it: 'numero seguente',
  pt: 'número seguinte',
  nl: 'nummer volgende',
});

const isNoun = (token: Token): boolean =>
  token.trail === '' &&
  /^[\p{L}'’-]{3,}$/u.test(token.core) &&
  !ANY_NUMBER.has(token.key) &&
  !isCommon(token) &&
  (languageOf(token.language)?.code !== 'de' || isCapitalised(token));

/** "l'ordre" */
const hasArticle = ({ key }: Token): boolean => /^l['’]\p{L}/u.test(key);

export const isAfterNoun = (text: SpokenText, index: number): boolean => {
  const { tokens } = text;
  const before = (n: number): Token | undefined => tokens[index - n];
  const isArticle = (n: number) => ARTICLES.has(before(n)?.key ?? '');
  const isNounAt = (n: number) => index - n >= 0 && isNoun(before(n)!) && text.itemBefore(index - n + 1) === undefined;
  if (!isNounAt(1) || NOT_NOUNS.has(before(1)!.key)) return false;
  const isNamedBy = (n: number) =>
    !text.isPersonalCue(index - n, index) && (isArticle(n + 1) || hasArticle(before(n)!));
  if (isNamedBy(1)) return true;
  if (OF.has(before(2)?.key ?? '')) return isNounAt(3) && isNamedBy(3);
  return text.codeAt(index) === 'en' && isNounAt(2) && isNamedBy(2);
};
