// Redaction that a request asks for, in addition to what its account and key always redact.
import {
  parseRedaction,
  REDACTION_NAMES,
  type RedactedKind,
  type RedactionName,
  redactedKinds,
} from '@faircopy/contract';
import type { Principal } from '../accounts/principal.ts';
import { invalidRequest } from '../lib/fault.ts';

/** Parses `pci,phone`, or several such lists. Throws INVALID_REQUEST for an unknown name. */
export const redactionOf = (texts: string | readonly string[]): readonly RedactionName[] => {
  const names = parseRedaction(texts);
  if (names !== null) return names;
  throw invalidRequest(`"redact" may name ${REDACTION_NAMES.join(', ')}.`, 'redact');
};

/** `profanity_filter=true` is another way to write `redact=profanity`. */
export const profanityFilter = (isOn: boolean): readonly RedactionName[] => (isOn ? ['profanity'] : []);

/** What the account, the key and the request redact together. */
export const hiddenKinds = (
  { redaction, rules }: Principal,
  asked: readonly RedactionName[] = [],
): readonly RedactedKind[] => redactedKinds([...redaction, ...(rules.redact ?? []), ...asked]);
