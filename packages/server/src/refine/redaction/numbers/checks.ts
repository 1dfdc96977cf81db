// Verifies the form and the check digits of card numbers, IBANs and national ids.

const digitsOf = (text: string): number[] => [...text].map(Number);

export const luhn = (text: string): boolean => {
  let sum = 0;
  digitsOf(text)
    .reverse()
    .forEach((digit, n) => {
      const doubled = n % 2 === 1 ? digit * 2 : digit;
      sum += doubled > 9 ? doubled - 9 : doubled;
    });
  return text !== '' && sum % 10 === 0;
};

/** First digits of the card networks. */
const CARD_START = /^(?:4|5[0-8]|6|3[0-9]|2(?:2[2-9]|[3-6]|7[01]|720)|1800|2131)/u;

export const isCardNumber = (text: string): boolean =>
  text.length >= 13 && text.length <= 19 && CARD_START.test(text) && luhn(text) && new Set(text).size > 1;

/** The remainder of a long number divided by 97. */
const mod97 = (text: string): number => [...text].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0);

/** Lengths of IBANs, by country. */
const IBAN_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27
  GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 MC27 MD24
  ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 TN24 TR26 UA29 XK20`
    .split(/\s+/u)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

export const ibanLength = (text: string): number => IBAN_LENGTHS[text.slice(0, 2)] ?? 0;

export const isIban = (text: string): boolean => {
  if (ibanLength(text) !== text.length || !/^[A-Z]{2}\d{2}[A-Z\d]+$/u.test(text)) return false;
  const moved = text.slice(4) + text.slice(0, 4);
  return mod97(moved.replace(/[A-Z]/gu, (letter) => String(letter.charCodeAt(0) - 55))) === 1;
};

const weighted = (text: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, n) => sum + weight * Number(text[n]), 0);
const lastDigit = (text: string): number => Number(text.at(-1));

/** German tax id: eleven digits, ISO 7064. */
export const isGermanTaxId = (text: string): boolean => {
  if (!/^[1-9]\d{10}$/u.test(text)) return false;
  let product = 10;
  for (const digit of digitsOf(text.slice(0, 10))) {
    const sum = (digit + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === lastDigit(text);
};

/** Swiss AHV number: an EAN that begins with 756. */
export const isSwissAhv = (text: string): boolean =>
  /^756\d{10}$/u.test(text) && weighted(text, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;

/** Austrian social security number. */
export const isAustrianSvnr = (text: string): boolean =>
  /^[1-9]\d{9}$/u.test(text) && weighted(text, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === Number(text[3]);

/** French social security number with its key. Corsican departments have a letter. */
export const isFrenchNir = (text: string): boolean => {
  if (!/^[1-478]\d{2}(?:[0-3]\d|[4-9]\d)(?:\d{2}|2[AB])\d{6}\d{2}$/u.test(text)) return false;
  const body = text.slice(0, 13).replace('A', '0').replace('B', '0');
  const shift = text.includes('A') ? 1_000_000 : text.includes('B') ? 2_000_000 : 0;
  return 97 - ((Number(body) - shift) % 97) === Number(text.slice(13));
};

const DNI_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';

/** Spanish DNI or NIE. */
export const isSpanishId = (text: string): boolean => {
  const [, first = '', digits = '', letter = ''] = /^([XYZ]?)(\d{7,8})([A-Z])$/u.exec(text) ?? [];
  if (digits.length + first.length !== 8) return false;
  const number = Number((first === '' ? '' : String('XYZ'.indexOf(first))) + digits);
  return DNI_LETTERS[number % 23] === letter;
};

const ODD_VALUES: Readonly<Record<string, number>> = Object.fromEntries(
  [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((character, n) => [
    character,
    [
      1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10,
      22, 25, 24, 23,
    ][n]!,
  ]),
);

/** Italian codice fiscale. */
export const isCodiceFiscale = (text: string): boolean => {
  if (!/^[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]$/u.test(text)) return false;
  const sum = [...text.slice(0, 15)].reduce((total, character, n) => {
    const even = /\d/u.test(character) ? Number(character) : character.charCodeAt(0) - 65;
    return total + (n % 2 === 0 ? ODD_VALUES[character]! : even);
  }, 0);
  return String.fromCharCode(65 + (sum % 26)) === text[15];
};

const mod11Check = (sum: number): number => {
  const rest = 11 - (sum % 11);
  return rest >= 10 ? 0 : rest;
};

/** Brazilian CPF. */
export const isCpf = (text: string): boolean =>
  /^\d{11}$/u.test(text) &&
  new Set(text).size > 1 &&
  mod11Check(weighted(text, [10, 9, 8, 7, 6, 5, 4, 3, 2])) === Number(text[9]) &&
  mod11Check(weighted(text, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])) === Number(text[10]);

/** Portuguese NIF. */
export const isPortugueseNif = (text: string): boolean =>
  /^[1-35689]\d{8}$/u.test(text) && mod11Check(weighted(text, [9, 8, 7, 6, 5, 4, 3, 2])) === lastDigit(text);

/** Dutch BSN: the eleven test. */
export const isBsn = (text: string): boolean =>
  /^\d{9}$/u.test(text) && new Set(text).size > 1 && weighted(text, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;

/** A US social security number that may have been issued. */
export const isUsSsn = (text: string): boolean => /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/u.test(text);

/** A British national insurance number. */
export const isNino = (text: string): boolean => /^[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/u.test(text);

/** German pension insurance number: area, birthday, letter of the name, number. */
export const isGermanPensionNumber = (text: string): boolean => {
  if (!/^\d{8}[A-Z]\d{3}$/u.test(text)) return false;
  const letter = String(text.charCodeAt(8) - 64).padStart(2, '0');
  const digits = text.slice(0, 8) + letter + text.slice(9, 11);
  const weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
  const sum = weights.reduce((total, weight, n) => {
    const product = weight * Number(digits[n]);
    return total + Math.floor(product / 10) + (product % 10);
  }, 0);
  return sum % 10 === lastDigit(text);
};
