// Word lists and spoken marks of Dutch.
import { phrases, words } from '../words.ts';
import type { Language } from './language.ts';

export const dutch: Language = {
  code: 'nl',
  fillers: words('eh ehh ehm uh uhh uhm euh um hm hmm hmmm mmm mm'),
  // "die die", "dat dat", "je je", "ze ze" and "zijn zijn" are good Dutch.
  collapsible:
    words(`ik de het en een we van met maar of op voor in om te dus als ook niet naar bij is was heb heeft hebben kan
    moet wil ga gaan wordt mijn`),
  corrections: phrases(
    'nee sorry, nee wacht, wacht nee, ik bedoel, ik bedoelde, beter gezegd, correctie, pardon, sorry, nee',
  ),
  weekdays: words('maandag dinsdag woensdag donderdag vrijdag zaterdag zondag'),
  months: words('januari februari maart april mei juni juli augustus september oktober november december'),
  namesAreCapitalised: false,
  marks: [
    { say: 'nieuwe alinea', write: 'paragraph' },
    { say: 'nieuwe regel', write: 'line' },
    { say: 'vraagteken', write: '?' },
    { say: 'uitroepteken', write: '!' },
    { say: 'puntkomma', write: ';' },
    { say: 'dubbele punt', write: ':' },
    { say: 'komma', write: ',' },
    { say: 'punt', write: '.', doubtful: true },
  ],
  determiners:
    words(`een de het die dat deze dit elke elk ander andere mijn jouw zijn haar ons onze hun geen zonder met woord nul twee
    drie vier vijf zes zeven acht negen tien eerste laatste op in volgende`),
  common:
    words(`de het een en van ik je dat niet is in te zijn op ze maar er die met voor we wat aan heb als ook naar bij
    nog goed dank hallo ja nee om dan kan moet wel dit heeft geen`),
  abbreviations: words('dr dhr mevr mw prof enz bijv nr ca'),
};
