// What tells personal numbers from others in a language: the words said before them.

/** Alternatives of a regular expression over lower-case words, separated by spaces. */
type Words = string;

export interface RedactionLanguage {
  readonly code: string;
  readonly card: Words;
  readonly cvv: Words;
  readonly expiry: Words;
  readonly iban: Words;
  /** Bank and branch codes. */
  readonly bankCode: Words;
  /** Social security, tax and identity numbers. */
  readonly id: Words;
  /** "the last four digits" */
  readonly lastDigits: Words;
  readonly phone: Words;
  readonly extension: Words;
  /** Numbers that look personal and are not: orders, invoices, versions. */
  readonly notPersonal: Words;
  /** The form of such names, whatever the number is of: "claim number", "Vorgangsnummer". */
  readonly label: Words;
  readonly birth: Words;
  readonly postcode: Words;
  /** After a house number. */
  readonly streetAfter: Words;
  /** Before a house number, with the name of the street between. */
  readonly streetBefore: Words;
  /** Endings of street names, right before a house number. */
  readonly streetEnding: Words;
  readonly flat: Words;
  /** Staircases, floors and doors, beside a house number. */
  readonly annex: Words;
  /** Before an address whose street has no word for "street". */
  readonly residence: Words;
  /** Words inside a date: "de", "of". */
  readonly dateJoint: Words;
}
