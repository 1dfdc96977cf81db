// Levels of refinement and kinds of redaction. Extensions of the contract.
import { z } from 'zod';

/** none: the recognised text. light: fillers, stutters and window joins. standard: everything; the default. */
export const REFINE_LEVELS = ['none', 'light', 'standard'] as const;
export type RefineLevel = (typeof REFINE_LEVELS)[number];

export const refineLevel = z.enum(REFINE_LEVELS, `must be one of ${REFINE_LEVELS.join(', ')}`);

export const isRefineLevel = (value: unknown): value is RefineLevel => refineLevel.safeParse(value).success;

/** Kinds of data that can be hidden. Each has its own placeholder, such as `[CARD_1]`; profanity becomes `****`. */
export const REDACTED_KINDS = [
  'card',
  'card_expiry',
  'cvv',
  'iban',
  'ssn',
  'phone',
  'email',
  'ip',
  'dob',
  'address_number',
  'number',
  'date',
  'profanity',
] as const;
export type RedactedKind = (typeof REDACTED_KINDS)[number];

const PCI: readonly RedactedKind[] = ['card', 'card_expiry', 'cvv'];
const PII: readonly RedactedKind[] = [...PCI, 'iban', 'ssn', 'phone', 'email', 'ip', 'dob', 'address_number'];

/** The names a caller may use, and the kinds that each includes. */
const KINDS_OF = {
  pci: PCI,
  ssn: ['ssn'],
  national_id: ['ssn'],
  iban: ['iban'],
  phone: ['phone'],
  email: ['email'],
  ip: ['ip'],
  dob: ['dob'],
  address_numbers: ['address_number'],
  numbers: ['number', 'card', 'iban', 'ssn', 'phone', 'ip'],
  dates: ['date', 'dob', 'card_expiry'],
  pii: PII,
  profanity: ['profanity'],
} as const satisfies Record<string, readonly RedactedKind[]>;

export type RedactionName = keyof typeof KINDS_OF;
export const REDACTION_NAMES = Object.keys(KINDS_OF) as RedactionName[];

const isRedactionName = (name: string): name is RedactionName => Object.hasOwn(KINDS_OF, name);

/** Parses a list such as `pci,phone`, or several lists; null when a name is unknown. */
export const parseRedaction = (values: string | readonly string[]): readonly RedactionName[] | null => {
  const names = [values]
    .flat()
    .flatMap((value) => value.split(','))
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const known = names.filter(isRedactionName);
  return known.length === names.length ? [...new Set(known)] : null;
};

export const redactedKinds = (names: readonly RedactionName[]): readonly RedactedKind[] => {
  const wanted = new Set<RedactedKind>(names.flatMap((name) => [...KINDS_OF[name]]));
  return REDACTED_KINDS.filter((kind) => wanted.has(kind));
};
