// Generates personal data for property tests: in seven languages and several forms, with and without a correction.
import fc from 'fast-check';
import * as checks from '../../../src/refine/redaction/numbers/checks.ts';

interface Speech {
  readonly digits: readonly string[];
  readonly dot: string;
  readonly at: string;
  readonly underscore: string;
  readonly correction: string;
  readonly after: string;
  readonly cues: Readonly<Record<'card' | 'phone' | 'email' | 'iban' | 'id' | 'born' | 'ip', string>>;
  readonly birthday: readonly [string, string];
}

const speech = (
  [digits, dot, at, underscore, correction, after]: readonly string[],
  [card, phone, email, iban, id, born, ip]: readonly string[],
  birthday: Speech['birthday'],
): Speech => ({
  digits: digits!.split(' '),
  dot: dot!,
  at: at!,
  underscore: underscore!,
  correction: correction!,
  after: after!,
  cues: { card: card!, phone: phone!, email: email!, iban: iban!, id: id!, born: born!, ip: ip! },
  birthday,
});

/** `birthday`: a day with its month, and the word before the year. */
const SPEECH: Readonly<Record<string, Speech>> = {
  en: speech(
    ['zero one two three four five six seven eight nine', 'dot', 'at', 'underscore', 'no sorry', 'thank you'],
    ['my card is', 'call me on', 'my email is', 'my IBAN is', 'my social is', 'I was born on', 'the server is'],
    ['14 March', ''],
  ),
  de: speech(
    [
      'null eins zwei drei vier fünf sechs sieben acht neun',
      'punkt',
      'ät',
      'unterstrich',
      'nein Entschuldigung',
      'danke',
    ],
    [
      'die Karte ist',
      'meine Handynummer ist',
      'meine Mail ist',
      'die IBAN ist',
      'die Steuernummer ist',
      'geboren am',
      'der Server ist',
    ],
    ['14. März', ''],
  ),
  es: speech(
    ['cero uno dos tres cuatro cinco seis siete ocho nueve', 'punto', 'arroba', 'guion bajo', 'no perdón', 'gracias'],
    ['mi tarjeta es', 'mi móvil es', 'mi correo es', 'el IBAN es', 'mi DNI es', 'nací el', 'el servidor es'],
    ['14 de marzo', 'de '],
  ),
  fr: speech(
    ['zéro un deux trois quatre cinq six sept huit neuf', 'point', 'arobase', 'tiret bas', 'non pardon', 'merci'],
    [
      'ma carte est',
      'mon portable est',
      'mon mail est',
      "l'IBAN est",
      'mon numéro de sécu est',
      'je suis né le',
      'le serveur est',
    ],
    ['14 mars', ''],
  ),
  it: speech(
    [
      'zero uno due tre quattro cinque sei sette otto nove',
      'punto',
      'chiocciola',
      'trattino basso',
      'no scusi',
      'grazie',
    ],
    [
      'la mia carta è',
      'il mio cellulare è',
      'la mail è',
      "l'IBAN è",
      'il codice fiscale è',
      'sono nato il',
      'il server è',
    ],
    ['14 marzo', ''],
  ),
  pt: speech(
    ['zero um dois três quatro cinco seis sete oito nove', 'ponto', 'arroba', 'sublinhado', 'não desculpe', 'obrigado'],
    ['o meu cartão é', 'o meu telemóvel é', 'o email é', 'o IBAN é', 'o meu CPF é', 'nasci a', 'o servidor é'],
    ['14 de março', 'de '],
  ),
  nl: speech(
    [
      'nul een twee drie vier vijf zes zeven acht negen',
      'punt',
      'apenstaartje',
      'liggend streepje',
      'nee sorry',
      'bedankt',
    ],
    ['mijn kaart is', 'mijn mobiel is', 'mijn mail is', 'de IBAN is', 'mijn BSN is', 'geboren op', 'de server is'],
    ['14 maart', ''],
  ),
};
const LANGUAGES = Object.keys(SPEECH);

const digitsOf = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((all) => all.join(''));

/** The text with the check digits that make it valid. */
const checked = (width: number, isValid: (text: string) => boolean, text: (check: string) => string): string | null => {
  for (let n = 0; n < 10 ** width; n++) {
    const whole = text(String(n).padStart(width, '0'));
    if (isValid(whole)) return whole;
  }
  return null;
};
const valid = (made: fc.Arbitrary<string | null>): fc.Arbitrary<string> =>
  made.filter((text): text is string => text !== null);

const card = valid(digitsOf(14).map((rest) => checked(1, checks.isCardNumber, (check) => `4${rest}${check}`)));

const PHONES: Readonly<Record<string, readonly [string, number]>> = {
  en: ['212', 7],
  de: ['0151', 8],
  es: ['6', 8],
  fr: ['06', 8],
  it: ['347', 7],
  pt: ['91', 7],
  nl: ['06', 8],
};

const IBANS: Readonly<Record<string, readonly [string, string, number]>> = {
  en: ['GB', 'NWBK', 14],
  de: ['DE', '', 18],
  es: ['ES', '', 20],
  fr: ['FR', '', 23],
  it: ['IT', 'X', 22],
  pt: ['PT', '', 21],
  nl: ['NL', 'ABNA', 10],
};

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const letterFor = (text: (letter: string) => string, isValid: (text: string) => boolean): string | null =>
  LETTERS.map(text).find(isValid) ?? null;

const IDS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  en: digitsOf(6)
    .map((rest) => `2${rest.slice(0, 2)}45${rest.slice(2)}`)
    .filter(checks.isUsSsn),
  de: valid(digitsOf(9).map((rest) => checked(1, checks.isGermanTaxId, (check) => `8${rest}${check}`))),
  es: valid(digitsOf(8).map((rest) => letterFor((letter) => rest + letter, checks.isSpanishId))),
  fr: valid(digitsOf(6).map((rest) => checked(2, checks.isFrenchNir, (check) => `1850578${rest}${check}`))),
  it: valid(digitsOf(3).map((rest) => letterFor((letter) => `RSSMRA85T10A${rest}${letter}`, checks.isCodiceFiscale))),
  pt: valid(digitsOf(9).map((rest) => checked(2, checks.isCpf, (check) => rest + check))),
  nl: valid(digitsOf(8).map((rest) => checked(1, checks.isBsn, (check) => rest + check))),
};

type Form = 'together' | 'groups' | 'characters' | 'words';

const characters = (text: string, form: Form, { digits }: Speech): string =>
  form === 'together'
    ? text
    : form === 'groups'
      ? text.match(/.{1,4}/gu)!.join(' ')
      : [...text].map((each) => (form === 'words' && /\d/u.test(each) ? digits[Number(each)]! : each)).join(' ');

const TRACE_LENGTH = 4;

/** Every four consecutive characters, in every form. */
const tracesOf = (text: string, { digits }: Speech): string[] =>
  Array.from({ length: text.length - TRACE_LENGTH + 1 }, (_, at) => text.slice(at, at + TRACE_LENGTH)).flatMap(
    (part) => [part, [...part].join(' '), [...part].map((each) => digits[Number(each)] ?? each).join(' ')],
  );

export interface Secret {
  readonly language: string;
  /** A sentence with the secret in it. */
  readonly text: string;
  /** Text that redaction must not leave. */
  readonly traces: readonly string[];
}

interface Said {
  readonly words: string;
  readonly traces: readonly string[];
}

type Kind = keyof Speech['cues'];

const number = (made: fc.Arbitrary<string>, said: Speech): fc.Arbitrary<Said> =>
  fc
    .tuple(made, fc.constantFrom<Form>('together', 'groups', 'characters', 'words'))
    .map(([text, form]) => ({ words: characters(text, form, said), traces: tracesOf(text, said) }));

const SYLLABLES = ['zor', 'vix', 'quon', 'dree', 'plim', 'fash', 'grun', 'tev'];
const name = fc.array(fc.constantFrom(...SYLLABLES), { minLength: 3, maxLength: 3 }).map((all) => all.join(''));

const email = ({ dot, at, underscore }: Speech): fc.Arbitrary<Said> =>
  fc.tuple(name, name, name, fc.boolean(), fc.boolean()).map(([first, last, host, isWritten, isDot]) => ({
    words: isWritten
      ? `${first}${isDot ? '.' : '_'}${last}@${host}.com`
      : `${first} ${isDot ? dot : underscore} ${last} ${at} ${host} ${dot} com`,
    traces: [first, last, host],
  }));

const octet = fc.integer({ min: 100, max: 255 }).map(String);

const ipAddress = (said: Speech): fc.Arbitrary<Said> =>
  fc.tuple(octet, octet, octet, octet, fc.boolean()).map(([...parts]) => {
    const octets = parts.slice(0, 4) as string[];
    const spoken = (text: string) => characters(text, 'words', said);
    return {
      words: parts[4] ? octets.join('.') : octets.map(spoken).join(` ${said.dot} `),
      traces: [...octets, ...octets.map(spoken)],
    };
  });

const born = ({ birthday: [day, joint] }: Speech): fc.Arbitrary<Said> =>
  fc
    .tuple(fc.integer({ min: 1930, max: 2009 }), fc.boolean())
    .map(([year, isWritten]) =>
      isWritten
        ? { words: `14.03.${year}`, traces: [String(year), '14.03'] }
        : { words: `${day} ${joint}${year}`, traces: [String(year), day] },
    );

const said: Readonly<Record<Kind, (language: string, speech: Speech) => fc.Arbitrary<Said>>> = {
  card: (_, speech) => number(card, speech),
  phone: (language, speech) => {
    const [start, length] = PHONES[language]!;
    return number(
      digitsOf(length).map((rest) => start + rest),
      speech,
    );
  },
  iban: (language, speech) => {
    const [country, bank, length] = IBANS[language]!;
    const made = digitsOf(length).map((rest) => checked(2, checks.isIban, (check) => country + check + bank + rest));
    return number(valid(made), speech);
  },
  id: (language, speech) => number(IDS[language]!, speech),
  email: (_, speech) => email(speech),
  ip: (_, speech) => ipAddress(speech),
  born: (_, speech) => born(speech),
};

/** Sentences with personal data of a kind. Half of them contain a self-correction. */
export const secret = (kind: Kind): fc.Arbitrary<Secret> =>
  fc.constantFrom(...LANGUAGES).chain((language) => {
    const speech = SPEECH[language]!;
    const once = said[kind](language, speech);
    return fc.tuple(once, once, fc.boolean()).map(([right, wrong, isCorrected]) => ({
      language,
      text: [
        speech.cues[kind],
        ...(isCorrected ? [`${wrong.words},`, `${speech.correction},`] : []),
        right.words,
        speech.after,
      ].join(' '),
      traces: isCorrected ? [...wrong.traces, ...right.traces] : right.traces,
    }));
  });

export const KINDS = Object.keys(said) as readonly Kind[];
