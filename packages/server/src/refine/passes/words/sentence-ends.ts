// Words that cannot end a sentence.
import { wordsOfAll } from '../../words.ts';

export const NEVER_LAST = wordsOfAll({
  en: `the a an of to and or but in on at for with from by my your our his her their its this these as is are was were be
    that which who because if than into about very`,
  de: 'und oder aber der die das den dem ein eine mit für von zu im am',
  es: 'el la los las un una de del en con por para y o que',
  fr: 'le les des du et ou dans pour',
  it: 'il lo gli e di da per',
  pt: 'o os as um uma em com',
  nl: 'het een van met voor op',
});
