// Word lists of the faithfulness check.
import { wordsOfAll } from '../words.ts';

export const NEGATIONS = wordsOfAll({
  en: 'no not never none nobody nothing neither nor cannot without nowhere hardly',
  de: 'nein nicht nie niemals kein keine keinen keinem keiner nichts niemand ohne',
  es: 'nunca nada nadie ningún ninguna ninguno sin tampoco no',
  fr: 'non ne pas jamais rien personne aucun aucune sans',
  it: 'mai niente nessuno nessuna senza non',
  pt: 'não nem ninguém nenhum nenhuma sem nada nunca',
  nl: 'niet geen nooit niets niemand zonder',
});
export const HEDGES = wordsOfAll({
  en: `maybe perhaps might may could possibly probably about around approximately roughly seems seem apparently likely unlikely guess
    think suppose should would almost nearly unsure allegedly reportedly if unless`,
  de: 'vielleicht wahrscheinlich möglicherweise ungefähr etwa könnte würde wohl',
  es: 'quizás quizá probablemente podría aproximadamente',
  fr: 'peut-être probablement environ pourrait',
  it: 'forse probabilmente circa potrebbe',
  pt: 'talvez provavelmente poderia',
  nl: 'misschien waarschijnlijk ongeveer',
});
/** Words that an editor may add or remove without changing the meaning. */
export const LIGHT_WORDS = wordsOfAll({
  en: 'a an the and or so well to of in on at for that it is are i um uh like you know just then but with as',
  de: 'der die das und ein eine zu',
  es: 'el la los las un una y de en',
  fr: 'le les et',
  it: 'il lo gli e di',
  pt: 'o os as um uma',
  nl: 'het een en van',
});
export const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'.split(' ').map((word, n) => [word, String(n)]),
);
/** Remarks with which a model starts an answer that is more than an edit. */
export const REMARK =
  /^\s*(?:here(?:'s| is| are)|sure\b|certainly\b|of course|okay, here|i(?:'m| am) (?:sorry|an ai)|as an ai|```|edited transcript|transcript:)/iu;
