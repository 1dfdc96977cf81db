// Word lists and spoken marks of German.
import { phrases, words } from '../words.ts';
import type { Language } from './language.ts';

export const german: Language = {
  code: 'de',
  fillers: words('äh ähm äähm ähh öh öhm ehm hm hmm hmmm mhm ähäm uhm'),
  // "die die", "das das", "der der" and "sie sie" are good German.
  collapsible:
    words(`ich und aber wir oder ein eine einen einem einer zu mit für von auf aus bei dass weil wenn ist sind war hat haben
    habe kann können muss müssen wird werden nicht auch noch im am vom zum zur wie`),
  corrections: phrases(
    `nein warte, nein moment, nein entschuldigung, nee moment, ach nein, ich meine, ich meinte, besser gesagt,
    quatsch, korrektur, entschuldigung, verzeihung, sorry, nein, nee`,
  ),
  weekdays: words('montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag'),
  months: words('januar februar märz april mai juni juli august september oktober november dezember'),
  namesAreCapitalised: true,
  marks: [
    { say: 'neuer absatz', write: 'paragraph' },
    { say: 'neue zeile', write: 'line' },
    { say: 'fragezeichen', write: '?' },
    { say: 'ausrufezeichen', write: '!' },
    { say: 'semikolon', write: ';' },
    { say: 'doppelpunkt', write: ':' },
    { say: 'komma', write: ',' },
    { say: 'punkt', write: '.', doubtful: true },
  ],
  determiners:
    words(`ein eine einen einem eines der die das den dem des dieser diese dieses diesen diesem jeder jede jedes kein keine
    keinen mein meine dein deine unser unsere sein seine ihr ihre zwei drei vier fünf null eins acht neun zehn erste ersten zweite wort ohne mit am im zum
    nächste nächsten letzte letzten wichtiger wichtigster dieser jener welcher`),
  common:
    words(`und der die das ich ist nicht wir es zu ein mit auf für sie den dem auch wie haben hat noch im um aber oder
    wenn bei uns von eine bitte danke mir mich dich kann dann heute morgen uhr schon war werden sind`),
  abbreviations: words('dr prof z.b. d.h. usw bzw nr str ca evtl ggf hr fr'),
};
