// Articles, prepositions and conjunctions, which belong to the next word: no line or cue should end with them.

const WORDS =
  // English
  'a an the of to in on at by for from with into onto over under about between through during without within across ' +
  'against among around behind beside beyond despite toward towards until upon via per ' +
  'and or but nor if because although though while whereas unless since than that whether ' +
  // German
  'der die das den dem des ein eine einen einem einer eines und oder aber denn weil dass wenn ob als wie zu zum zur ' +
  'von vom mit nach bei aus auf für über unter zwischen durch ohne gegen um an am im ins ' +
  // French
  'le la les un une des du de et ou mais car si que qui dans sur sous pour par avec sans chez vers entre à au aux en ' +
  // Spanish and Portuguese
  'el los las una unos unas del al y e o u pero sino porque aunque como con sin por para entre hacia desde hasta ' +
  'os as um uma do da dos das no na nos nas ao à mas com sem';

const FUNCTION_WORDS: ReadonlySet<string> = new Set(WORDS.split(' '));

/** Whether the word is a function word that no punctuation follows. */
export const isFunctionWord = (text: string): boolean =>
  FUNCTION_WORDS.has(text.toLowerCase().replace(/^["'“‘«(¿¡]+/, ''));
