// Converts the redactions of an account or key to and from their stored form.
import { parseRedaction, type RedactionName } from '@faircopy/contract';

export const redactionText = (names: readonly RedactionName[]): string | null =>
  names.length === 0 ? null : names.join(',');

/** A name of a later release turns on all redactions of this one. */
export const storedRedaction = (text: string | null): readonly RedactionName[] =>
  text === null ? [] : (parseRedaction(text) ?? ['pii', 'numbers', 'dates']);
