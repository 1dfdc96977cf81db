// Words around dictated numbers, in the languages with rules.
import { phraseList, type WordSet, wordsOfAll } from '../words.ts';

export const SEPARATOR_WORDS: WordSet = wordsOfAll({
  en: 'dash hyphen minus space slash then letter',
  de: 'strich bindestrich minus leerzeichen schrägstrich dann buchstabe',
  es: 'guion guión barra espacio luego letra',
  fr: 'tiret espace puis clé lettre',
  it: 'trattino barra spazio poi lettera',
  pt: 'hífen traço barra espaço depois',
  nl: 'streepje koppelteken spatie dan letter',
});

export const DOT_WORDS: WordSet = wordsOfAll({
  en: 'dot point period',
  de: 'punkt',
  es: 'punto',
  fr: 'point',
  it: 'punto',
  pt: 'ponto',
  nl: 'punt',
});

export const PLUS_WORDS: WordSet = wordsOfAll({ en: 'plus', es: 'más', it: 'più', pt: 'mais' });

/** "doppel fünf", "doble cero": how many times the next digit counts. */
export const REPETITIONS: ReadonlyMap<string, number> = new Map([
  ...['doppel', 'zweimal', 'doble', 'double', 'doppio', 'duplo', 'dubbel', 'dubbele', 'tweemaal'].map(
    (word) => [word, 2] as const,
  ),
  ...['dreifach', 'dreimal', 'triple', 'triplo', 'drie-dubbel', 'driedubbel', 'driemaal'].map(
    (word) => [word, 3] as const,
  ),
]);

/** "dreimal die sieben", "trois fois le zéro" */
export const TIMES_WORDS: WordSet = wordsOfAll({
  de: 'mal',
  fr: 'fois',
  es: 'veces',
  it: 'volte',
  pt: 'vezes',
  nl: 'keer maal',
});
export const TIMES_ARTICLES: WordSet = wordsOfAll({ de: 'die', fr: 'le', es: 'el', it: 'il lo', pt: 'o', nl: 'de' });

/** The second word of "por ciento". */
export const PERCENT_LAST: WordSet = wordsOfAll({ es: 'ciento', fr: 'cent', it: 'cento' });

/** Correction words in addition to those of refinement. */
export const CORRECTION_WORDS: WordSet = wordsOfAll({
  en: 'sorry wait no oops whoops',
  de: 'entschuldigung verzeihung quatsch nein falsch hoppla ups ach',
  es: 'perdón perdona disculpe no ay uy huy',
  fr: 'pardon non excusez-moi désolé oups zut',
  it: 'scusi scusa no anzi ops oddio',
  pt: 'desculpe desculpa não perdão ai ops',
  nl: 'sorry nee pardon oeps oei',
});

/** What both sides say while a number is dictated. */
export const INTERJECTIONS = phraseList(
  'ah, eh, uh, um, hum, hm, hmm, euh, ehm, äh, ähm, eeh',
  `yes, yeah, yep, yup, okay, ok, right, uh-huh, mhm, mm-hmm, alright, all right, got it, go on, go ahead, perfect, great,
  hang on, hold on, one moment, one second, just a second, just a moment, give me a second, let me see, let me check, and then,
  then it's, so, that's, and that's`,
  `ja, okay, genau, richtig, gut, weiter, und weiter, bitte, moment, moment bitte, einen moment, einen augenblick, warten sie,
  sekunde, mal sehen, und dann, und dann die, dann die, und dann noch, alles klar, habe ich, hab ich`,
  `oui, d'accord, ok, très bien, bien, parfait, voilà, allez-y, je vous écoute, attendez, un instant, une seconde, un moment,
  je regarde, et puis, et ensuite, ensuite, c'est noté, alors, donc`,
  `sí, vale, de acuerdo, bien, perfecto, muy bien, siga, dígame, adelante, espere, espera, un momento, un segundo, a ver, y luego,
  y después, entonces, ajá`,
  `sì, va bene, certo, bene, perfetto, prego, vada avanti, mi dica, aspetti, aspetta, un attimo, un momento, un secondo, vediamo,
  e poi, allora, ecco`,
  `sim, certo, está bem, está bom, tá, perfeito, diga, pode falar, continue, espere, espera, só um momento, um momento, um segundo,
  deixe ver, deixa ver, e depois, então, isso`,
  `ja, oké, goed, prima, ga door, ga verder, zegt u het maar, wacht, wacht even, even kijken, momentje, een moment, een momentje,
  en dan, dus, klopt`,
);

/** "four, not five" */
export const CONTRAST_WORDS: WordSet = wordsOfAll({
  en: 'not',
  de: 'nicht statt',
  es: 'no',
  fr: 'pas',
  it: 'non',
  pt: 'não',
  nl: 'niet',
});

/** "D wie Dora", "B as in Bravo" */
export const SPELLED_LIKE: WordSet = wordsOfAll({
  en: 'as for like',
  de: 'wie',
  es: 'como de',
  fr: 'comme',
  it: 'come',
  pt: 'como de',
  nl: 'van als',
});

const lettersOf = (names: string): ReadonlyMap<string, string> =>
  new Map(names.split(' ').map((entry) => [entry.slice(2), entry[0]!] as const));

/** Names of letters that are not other words. */
export const LETTER_NAMES: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['en', lettersOf('Z:zed Z:zee')],
  ['de', lettersOf('Z:zett V:vau Y:ypsilon')],
  ['es', lettersOf('K:ka P:pe Q:cu F:efe G:ge H:hache J:jota L:ele M:eme N:ene R:erre V:uve X:equis Z:zeta Z:ceta')],
  ['fr', lettersOf('Z:zède')],
  ['it', lettersOf('F:effe H:acca L:elle M:emme N:enne R:erre S:esse X:ics Y:ipsilon Z:zeta')],
  ['pt', lettersOf('F:efe H:agá J:jota R:erre X:xis Z:zê')],
  ['nl', lettersOf('Y:ypsilon Z:zet')],
]);

/** Letters with two-word names: first word → second word → letter. */
export const LETTER_PHRASES: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['double', lettersOf('W:u W:you W:vé W:v')],
  ['doble', lettersOf('W:u W:v W:ve W:uve')],
  ['doppia', lettersOf('W:v W:vu W:vi')],
  ['uve', lettersOf('W:doble')],
  ['ve', lettersOf('W:doble')],
  ['vu', lettersOf('W:doppia')],
  ['i', lettersOf('Y:griega Y:grec Y:greca J:lunga')],
  ['y', lettersOf('Y:griega')],
  ['ij', lettersOf('Y:grec')],
]);

/** "the first four": next to these words, a number counts digits. */
export const POSITIONS: WordSet = wordsOfAll({
  en: 'first next last other final',
  de: 'ersten nächsten letzten anderen übrigen',
  es: 'primeros primeras siguientes últimos últimas',
  fr: 'premiers premières suivants derniers dernières',
  it: 'primi prime seguenti ultimi ultime successivi',
  pt: 'primeiros seguintes últimos',
  nl: 'eerste volgende laatste',
});

/** A number followed by one of these words is an amount, not personal data. */
export const UNITS: WordSet = wordsOfAll({
  en: `dollars dollar cents bucks euros euro pounds percent o'clock minutes minute hours hour days weeks months years seconds
    miles kilometers kilometres meters metres feet inches grams kilos kilograms milligrams pounds people users units items
    orders tickets points goals votes pages words times points copies megabytes gigabytes degrees terabytes terabyte gigabyte megabyte gigs gig inch foot am pm a.m. p.m. million
    billion thousand customers employees requests calls steps calories pieces boxes lines rows square horsepower hertz watts volts litres liters gallons acres seats passengers digits numbers subscribers followers`,
  de: `uhr prozent euro euros dollar cent franken minuten stunden tage tagen wochen monate monaten jahre jahren sekunden
    kilometer meter zentimeter kilo kilogramm gramm liter grad personen leute menschen nutzer stück einheiten bestellungen
    punkte punkten tore toren stimmen seiten wörter mal tonnen teilnehmer kunden mitarbeiter millionen zeilen schritte kalorien
    quadratmeter quadratmetern hektar zimmer ps watt volt hertz plätze sitze mitglieder ziffern zahlen zuschauer artikel`,
  es: `euros euro dólares céntimos pesos minutos horas días semanas meses años segundos kilómetros metros kilos
    gramos litros grados personas usuarios unidades pedidos puntos goles votos páginas palabras veces clientes empleados
    millones líneas pasos habitaciones hectáreas caballos vatios hercios plazas dígitos números cifras pasajeros socios`,
  fr: `euros euro dollars centimes minutes heures jours semaines mois ans années secondes kilomètres mètres kilos
    grammes litres degrés personnes utilisateurs unités commandes points buts voix pages mots fois clients employés millions
    lignes pas pourcent pièces hectares chevaux watts hertz places chiffres numéros passagers abonnés salariés`,
  it: `euro dollari centesimi minuti ore giorni settimane mesi anni secondi chilometri metri chili grammi litri gradi
    persone utenti unità ordini punti gol reti voti pagine parole volte clienti dipendenti milioni righe passi locali ettari cavalli watt hertz posti cifre numeri passeggeri iscritti`,
  pt: `euros euro reais dólares centavos cêntimos minutos horas dias semanas meses anos segundos quilômetros
    quilómetros metros quilos gramas litros graus pessoas usuários utilizadores unidades pedidos encomendas pontos gols golos
    votos páginas palavras vezes clientes funcionários milhões linhas passos quartos hectares cavalos watts hertz lugares dígitos números algarismos passageiros sócios`,
  nl: `procent euro euros dollar cent minuten uur uren dagen weken maanden jaar jaren seconden kilometer meter kilo gram
    liter graden personen mensen gebruikers stuks eenheden bestellingen punten doelpunten stemmen pagina's woorden keer
    klanten medewerkers miljoen regels stappen kamers hectare pk watt hertz plaatsen cijfers nummers passagiers leden toeschouwers vierkante`,
});

export const isYearLike = (digits: string): boolean => /^(?:1[89]|20)\d{2}$/u.test(digits);
