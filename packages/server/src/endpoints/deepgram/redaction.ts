// Deepgram's `redact`: its names for kinds of personal data, and the marks that replace them.
import { parseRedaction, REDACTION_NAMES, type RedactedKind, type RedactionName } from '@faircopy/contract';
import type { WrittenWord } from '@faircopy/transcript';
import { invalidRequest } from '../../lib/fault.ts';

/** Deepgram's names and the contract's equivalents. */
const NAMES: Readonly<Record<string, readonly RedactionName[]>> = {
  false: [],
  true: ['numbers'],
  aggressive_numbers: ['numbers'],
  credit_card: ['pci'],
  credit_card_expiration: ['pci'],
  cvv: ['pci'],
  account_number: ['iban'],
  bank_account: ['iban'],
  phone_number: ['phone'],
  email_address: ['email'],
  ip_address: ['ip'],
  date: ['dates'],
};

const MARKS: Readonly<Partial<Record<RedactedKind, string>>> = {
  card: 'CREDIT_CARD',
  card_expiry: 'CREDIT_CARD_EXPIRATION',
  cvv: 'CVV',
  iban: 'ACCOUNT_NUMBER',
  ssn: 'SSN',
  phone: 'PHONE_NUMBER',
  email: 'EMAIL_ADDRESS',
  ip: 'IP_ADDRESS',
  dob: 'DOB',
  address_number: 'LOCATION_ADDRESS',
  number: 'NUMERICAL_PII',
  date: 'DATE',
};

export const redactNames = (values: readonly string[]): readonly RedactionName[] =>
  values
    .flatMap((value) => value.split(','))
    .flatMap((value) => {
      const name = value.trim().toLowerCase();
      const names = Object.hasOwn(NAMES, name) ? NAMES[name]! : parseRedaction(name);
      if (names !== null) return names;
      const valid = [...REDACTION_NAMES, ...Object.keys(NAMES)].join(', ');
      throw invalidRequest(`"redact" may name ${valid}.`, 'redact');
    });

const MARK = /\[([A-Z_]+)_(\d+)\]/gu;

/** Writes "[CARD_1]" as Deepgram does: "[CREDIT_CARD_1]". */
export const deepgramMarks = <Word extends Pick<WrittenWord, 'text'>>(word: Word): Word => {
  if (!word.text.includes('[')) return word;
  const text = word.text.replace(MARK, (mark, name: string, number: string) => {
    const written = MARKS[name.toLowerCase() as RedactedKind];
    return written === undefined ? mark : `[${written}_${number}]`;
  });
  return { ...word, text };
};
