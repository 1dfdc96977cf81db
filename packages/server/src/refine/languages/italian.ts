// Word lists and spoken marks of Italian.
import { phrases, words } from '../words.ts';
import type { Language } from './language.ts';

export const italian: Language = {
  code: 'it',
  fillers: words('ehm ehmm eehm uhm uhmm mmm mm hmm hm mh'),
  collapsible:
    words(`io il lo gli un una e o di del della in con per che è mi ma se come sono ho abbiamo non nel nella dal
    dalla al alla sul sulla devo voglio posso`),
  corrections: phrases(
    `no scusa, no scusate, no aspetta, no anzi, volevo dire, voglio dire, correzione, scusa, scusate, anzi,
    cioè, no`,
  ),
  weekdays: words('lunedì martedì mercoledì giovedì venerdì sabato domenica'),
  months: words('gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre'),
  namesAreCapitalised: false,
  marks: [
    { say: 'nuovo paragrafo', write: 'paragraph' },
    { say: 'punto e a capo', write: 'paragraph' },
    { say: 'a capo', write: 'line' },
    { say: 'nuova riga', write: 'line' },
    { say: 'punto interrogativo', write: '?' },
    { say: 'punto esclamativo', write: '!' },
    { say: 'punto e virgola', write: ';' },
    { say: 'due punti', write: ':', doubtful: true },
    { say: 'virgola', write: ',' },
    { say: 'punto', write: '.', doubtful: true },
  ],
  determiners:
    words(`un uno una il lo la i gli le questo questa quel quello quella ogni altro altra mio tuo suo nostro di del della
    senza con parola zero due tre quattro cinque sei sette otto nove dieci primo ultimo al a in certo quale nessun andare da`),
  common:
    words(`che di non è la il un per una in sono mi ho ma lo si le con ti cosa se questo come da ci no del ha anche della
    più bene grazie ciao sì io gli alla allora perché molto quando`),
  abbreviations: words('sig dott prof ecc es n v'),
};
