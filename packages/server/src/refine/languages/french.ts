// Word lists and spoken marks of French.
import { phrases, words } from '../words.ts';
import type { Language } from './language.ts';

export const french: Language = {
  code: 'fr',
  fillers: words('euh euhh heu heuu hum hmm hm mmm mm euhm'),
  // "nous nous" and "vous vous" are good French.
  collapsible:
    words(`je j'ai c'est le les un une des de du et ou mais dans avec pour par sur il elle on ils elles mon ma mes ton ta
    son sa ses qui au aux est sont j'étais il y'a ça ce cette`),
  corrections: phrases(
    `non pardon, non attends, non attendez, je veux dire, je voulais dire, ou plutôt, enfin plutôt,
    correction, pardon, enfin, plutôt, non`,
  ),
  weekdays: words('lundi mardi mercredi jeudi vendredi samedi dimanche'),
  months: words('janvier février mars avril mai juin juillet août septembre octobre novembre décembre'),
  namesAreCapitalised: false,
  marks: [
    { say: 'nouveau paragraphe', write: 'paragraph' },
    { say: 'à la ligne', write: 'line' },
    { say: 'nouvelle ligne', write: 'line' },
    { say: "point d'interrogation", write: '?' },
    { say: "point d'exclamation", write: '!' },
    { say: 'point virgule', write: ';' },
    { say: 'deux points', write: ':', doubtful: true },
    { say: 'virgule', write: ',' },
    { say: 'point final', write: '.', doubtful: true },
    { say: 'point', write: '.', doubtful: true },
  ],
  determiners:
    words(`un une le la les ce cette ces chaque autre mon ma ton ta son sa notre votre leur de du des sans avec mot zéro deux
    trois quatre cinq six sept huit neuf dix premier dernier au aux quel quelle aucun certain en à bon`),
  common:
    words(`de la le et les des est je que un une dans pour pas il vous ce qui sur au avec nous mais on c'est plus ça du
    elle en j'ai oui non bonjour merci très bien tout être fait suis aussi`),
  abbreviations: words('m mme mlle dr pr etc p.ex. env av bd'),
};
