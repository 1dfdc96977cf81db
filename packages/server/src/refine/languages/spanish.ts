// Word lists and spoken marks of Spanish.
import { phrases, words } from '../words.ts';
import type { Language } from './language.ts';

export const spanish: Language = {
  code: 'es',
  fillers: words('eh ehh ehm em emm eeh eeeh mmm mm hmm hm uhm um'),
  collapsible:
    words(`yo el los las un una y o de del en con por para que es mi tu su nos pero cuando como está estoy tengo
    quiero voy vamos puedo se me te al lo`),
  corrections: phrases(
    `no perdón, no perdona, no espera, perdón quise decir, quiero decir, quise decir, mejor dicho, corrección,
    perdón, perdona, digo, no`,
  ),
  weekdays: words('lunes martes miércoles miercoles jueves viernes sábado sabado domingo'),
  months: words('enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre'),
  namesAreCapitalised: false,
  marks: [
    { say: 'punto y aparte', write: 'paragraph' },
    { say: 'nuevo párrafo', write: 'paragraph' },
    { say: 'nueva línea', write: 'line' },
    { say: 'punto y coma', write: ';' },
    { say: 'dos puntos', write: ':', doubtful: true },
    { say: 'punto y seguido', write: '.' },
    { say: 'punto final', write: '.', doubtful: true },
    { say: 'coma', write: ',', doubtful: true },
    { say: 'punto', write: '.', doubtful: true },
  ],
  determiners:
    words(`un una el la los las este esta ese esa cada otro otra mi tu su nuestro de en con sin palabra por hasta al del
    primer segundo tercer último cierto qué ningún algún medio buen`),
  common:
    words(`que de no el la y es en lo los se un por qué me una con para está mi te las pero del al como más muy bien
    gracias hola esto eso tengo vamos también cuando hay sí soy yo tu ya`),
  abbreviations: words('sr sra dr dra ud uds etc p.ej. núm av'),
};
