// The cues of a language: words around numbers that show whether they are personal.

/** Alternatives of a regular expression, matched against lower-case words joined by spaces. */
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
  /** Names of numbers that look personal but are not: orders, invoices, versions. */
  readonly notPersonal: Words;
  /** The general form of such names: "claim number", "Vorgangsnummer". */
  readonly label: Words;
  readonly birth: Words;
  readonly postcode: Words;
  /** Street types after a house number. */
  readonly streetAfter: Words;
  /** Street types before a house number, with the street name between them. */
  readonly streetBefore: Words;
  /** Endings of street names, right before a house number. */
  readonly streetEnding: Words;
  readonly flat: Words;
  /** Staircases, floors and doors, next to a house number. */
  readonly annex: Words;
  /** Words before an address whose street name has no word for "street". */
  readonly residence: Words;
  /** Words inside a date: "de", "of". */
  readonly dateJoint: Words;
}
