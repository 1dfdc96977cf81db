// Words around numbers that are dictated, in the languages with rules.
import { type WordSet, wordsOfAll } from '../words.ts';

export const SEPARATOR_WORDS: WordSet = wordsOfAll({
  en: 'dash hyphen minus space slash then',
  de: 'strich bindestrich minus leerzeichen schrägstrich dann',
  es: 'guion guión barra espacio luego',
  fr: 'tiret espace puis',
  it: 'trattino barra spazio poi',
  pt: 'hífen traço barra espaço depois',
  nl: 'streepje koppelteken spatie dan',
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

/** "doppel fünf", "doble cero": how often the next digit counts. */
export const REPETITIONS: ReadonlyMap<string, number> = new Map([
  ...['doppel', 'doble', 'double', 'doppio', 'duplo', 'dubbel', 'dubbele'].map((word) => [word, 2] as const),
  ...['dreifach', 'triple', 'triplo', 'drie-dubbel'].map((word) => [word, 3] as const),
]);

/** "por ciento" */
export const PERCENT_FIRST: WordSet = wordsOfAll({ es: 'por', fr: 'pour', it: 'per' });
export const PERCENT_LAST: WordSet = wordsOfAll({ es: 'ciento', fr: 'cent', it: 'cento' });

/** Words of corrections, beside those of refinement. */
export const CORRECTION_WORDS: WordSet = wordsOfAll({
  en: 'sorry wait no',
  de: 'entschuldigung verzeihung quatsch nein falsch',
  es: 'perdón perdona disculpe no',
  fr: 'pardon non excusez-moi désolé',
  it: 'scusi scusa no anzi',
  pt: 'desculpe desculpa não perdão',
  nl: 'sorry nee pardon',
});

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

/** Names of letters that are no other word. */
export const LETTER_NAMES: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['en', lettersOf('Z:zed Z:zee')],
  ['de', lettersOf('Z:zett V:vau Y:ypsilon')],
  ['es', lettersOf('F:efe G:ge H:hache J:jota L:ele M:eme N:ene R:erre V:uve X:equis Z:zeta Z:ceta')],
  ['fr', lettersOf('Z:zède')],
  ['it', lettersOf('F:effe H:acca L:elle M:emme N:enne R:erre S:esse X:ics Y:ipsilon Z:zeta')],
  ['pt', lettersOf('F:efe H:agá J:jota R:erre X:xis Z:zê')],
  ['nl', lettersOf('Y:ypsilon Z:zet')],
]);

/** After these words' numbers, nothing of the number is personal. */
export const UNITS: WordSet = wordsOfAll({
  en: `dollars dollar cents bucks euros euro pounds percent o'clock minutes minute hours hour days weeks months years seconds
    miles kilometers kilometres meters metres feet inches grams kilos kilograms milligrams pounds people users units items
    orders tickets points goals votes pages words times points copies megabytes gigabytes degrees am pm a.m. p.m. million
    billion thousand customers employees requests calls steps calories pieces boxes lines rows`,
  de: `uhr prozent euro euros dollar cent franken minuten stunden tage tagen wochen monate monaten jahre jahren sekunden
    kilometer meter zentimeter kilo kilogramm gramm liter grad personen leute menschen nutzer stück einheiten bestellungen
    punkte punkten tore toren stimmen seiten wörter mal tonnen teilnehmer kunden mitarbeiter millionen zeilen schritte kalorien`,
  es: `euros euro dólares céntimos pesos minutos horas días semanas meses años segundos kilómetros metros kilos
    gramos litros grados personas usuarios unidades pedidos puntos goles votos páginas palabras veces clientes empleados
    millones líneas pasos`,
  fr: `euros euro dollars centimes minutes heures jours semaines mois ans années secondes kilomètres mètres kilos
    grammes litres degrés personnes utilisateurs unités commandes points buts voix pages mots fois clients employés millions
    lignes pas pourcent`,
  it: `euro dollari centesimi minuti ore giorni settimane mesi anni secondi chilometri metri chili grammi litri gradi
    persone utenti unità ordini punti gol reti voti pagine parole volte clienti dipendenti milioni righe passi`,
  pt: `euros euro reais dólares centavos cêntimos minutos horas dias semanas meses anos segundos quilômetros
    quilómetros metros quilos gramas litros graus pessoas usuários utilizadores unidades pedidos encomendas pontos gols golos
    votos páginas palavras vezes clientes funcionários milhões linhas passos`,
  nl: `procent euro euros dollar cent minuten uur uren dagen weken maanden jaar jaren seconden kilometer meter kilo gram
    liter graden personen mensen gebruikers stuks eenheden bestellingen punten doelpunten stemmen pagina's woorden keer
    klanten medewerkers miljoen regels stappen`,
});
