// The rules of an API key: the endpoints, models, languages, addresses and refinement levels that it may use.
import {
  type KeyRules,
  type KeyScope,
  keyRules,
  type ModelId,
  NO_KEY_RULES,
  type RefineLevel,
} from '@faircopy/contract';
import { Fault, invalidRequest } from '../../lib/fault.ts';
import { languagesOf } from '../../lib/language-names.ts';
import { AddressList, addressFault } from '../../lib/net/address-list.ts';

/** A use of a key: the kind of endpoint, and the client's address. */
export interface KeyUse {
  /** Null: needs no scope. */
  readonly scope: KeyScope | null;
  readonly address: string;
}

const TRANSCRIBING: readonly KeyScope[] = ['transcribe', 'stream', 'jobs'];

/** Throws INVALID_REQUEST for rules that are malformed or contradict each other. */
export const checkKeyRules = (rules: KeyRules): KeyRules => {
  for (const address of rules.addresses ?? []) {
    const fault = addressFault(address);
    if (fault !== null) throw invalidRequest(`rules.addresses: ${fault}.`);
  }
  const languages = rules.languages && languagesOf(rules.languages, 'rules.languages');
  const isForAudio = rules.scopes === null || rules.scopes.some((scope) => TRANSCRIBING.includes(scope));
  const onlyForAudio = (['models', 'languages', 'refinement', 'redact'] as const).filter(
    (rule) => rules[rule] !== null,
  );
  if (!isForAudio && onlyForAudio.length > 0)
    throw invalidRequest(
      `rules.${onlyForAudio[0]}: the key may not transcribe anything. Add one of the scopes ${TRANSCRIBING.join(', ')}, or leave ${onlyForAudio.join(' and ')} out.`,
    );
  return { ...rules, languages: languages && [...languages] };
};

/** Throws INVALID_REQUEST if the key and its account have no language in common. */
export const checkLanguagesOfAccount = (rules: KeyRules, ofAccount: readonly string[]): void => {
  if (rules.languages === null || ofAccount.length === 0) return;
  if (rules.languages.some((language) => ofAccount.includes(language))) return;
  throw invalidRequest(`rules.languages: the account is limited to ${ofAccount.join(', ')}.`);
};

export const storedRules = (rules: KeyRules): string | null => {
  const text = JSON.stringify(rules);
  return text === JSON.stringify(NO_KEY_RULES) ? null : text;
};

/** A key with rules that this release cannot read may do nothing: a newer release may have limited it further. */
export const readRules = (stored: string | null): KeyRules | 'unreadable' => {
  if (stored === null) return NO_KEY_RULES;
  try {
    return keyRules.parse(JSON.parse(stored));
  } catch {
    return 'unreadable';
  }
};

const forbidden = (message: string): Fault => new Fault('FORBIDDEN', { message });

/** Throws FORBIDDEN. */
export const checkKeyUse = (rules: KeyRules, { scope, address }: KeyUse): void => {
  if (rules.addresses !== null && !new AddressList(rules.addresses).has(address))
    throw forbidden('This API key may not be used from this address.');
  if (scope !== null && rules.scopes !== null && !rules.scopes.includes(scope))
    throw forbidden(`This API key may not be used for "${scope}". It is limited to ${rules.scopes.join(', ')}.`);
};

/** Throws FORBIDDEN. */
export const checkKeyModel = (rules: KeyRules, model: ModelId): void => {
  if (rules.models !== null && !rules.models.includes(model))
    throw forbidden(`This API key may not use ${model}. It is limited to ${rules.models.join(', ')}.`);
};

/** The key's level comes first, then the request's, then the account's. */
export const levelOf = (
  rules: KeyRules,
  asked: RefineLevel | undefined,
  ofAccount: RefineLevel | null,
): RefineLevel | undefined => rules.refinement ?? asked ?? ofAccount ?? undefined;
