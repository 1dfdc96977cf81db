// Word lists that decide whether a comma stays.
import { words, wordsOfAll } from '../../words.ts';

/** Words that are set off by a comma at the start of a sentence. */
export const OPENERS = wordsOfAll({
  en: `well yes yeah yep no nope okay ok so right sure thanks hi hello hey anyway however actually basically honestly
    first second third finally also meanwhile still otherwise then now please sorry look listen alright`,
  de: 'ja nein also gut hallo',
  es: 'sí hola bueno',
  fr: 'oui non bonjour alors bien',
  it: 'ciao allora',
  pt: 'olá sim então',
  nl: 'nou dus hallo',
});
/** Words that start a subordinate clause. */
export const SUBORDINATORS = wordsOfAll({
  en: 'when if after because although though since before while once as unless until whenever',
  de: 'wenn weil als nachdem bevor obwohl',
  es: 'cuando si porque aunque',
  fr: 'quand lorsque parce',
  it: 'quando perché se',
  pt: 'quando se',
  nl: 'als omdat wanneer',
});
/** Words that take a comma before them. */
export const CLAUSE_STARTERS = wordsOfAll({
  en: 'but which who so because although though whereas yet',
  de: 'aber weil sondern',
  es: 'pero',
  fr: 'mais',
  it: 'ma',
  pt: 'mas',
  nl: 'maar omdat',
});
export const HEDGES = words('maybe perhaps probably');
/** Words that never take a comma after them. */
export const NEVER_BEFORE_COMMA = wordsOfAll({
  en: `is are was were be been am the a an to of and or but at in on for from with by my your our his her their this it's i'm
    that's i'll we'll can could would should will has have had`,
  de: 'ist sind war und oder aber der die das den dem ein eine mit für von zu',
  es: 'es son el la los las y o de en con por para un una',
  fr: 'est sont le les et ou des du dans avec',
  it: 'è sono il lo gli e di per',
  pt: 'é são um uma em com',
  nl: 'is de het een en van op om',
});
