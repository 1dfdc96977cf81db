// What an account or a key always hides, as it is stored.
import { parseRedaction, type RedactionName } from '@faircopy/contract';

export const redactionText = (names: readonly RedactionName[]): string | null =>
  names.length === 0 ? null : names.join(',');

/** Names of a later release hide everything that this one knows. */
export const storedRedaction = (text: string | null): readonly RedactionName[] =>
  text === null ? [] : (parseRedaction(text) ?? ['pii', 'numbers', 'dates']);
