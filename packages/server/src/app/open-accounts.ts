// Opens what requests need from accounts: keys with their limits, and counts of vocabulary terms.
import { CachedAuthenticator } from '../accounts/authentication/authenticator.ts';
import type { AccountLimits } from '../accounts/principal.ts';
import { defaultLimitsOf } from '../accounts/settings.ts';
import { deleteVocabularyUses, VocabularyUses } from '../accounts/vocabulary/vocabulary-uses.ts';
import type { Database } from './open-database.ts';
import type { Base } from './open-observability.ts';

export interface Accounts {
  /** Limits of accounts that have none of their own. */
  readonly limits: AccountLimits;
  readonly authenticator: CachedAuthenticator;
  readonly vocabularyUses: VocabularyUses | undefined;
}

export const openAccounts = async ({ config, lifecycle, clock }: Base, { storage }: Database): Promise<Accounts> => {
  const limits = defaultLimitsOf(config);
  if (!config.vocabularyCounts) await deleteVocabularyUses(storage);
  return {
    limits,
    authenticator: lifecycle.own('authenticator', new CachedAuthenticator({ storage, defaults: limits, clock })),
    vocabularyUses: config.vocabularyCounts ? lifecycle.own('vocabulary uses', new VocabularyUses(storage)) : undefined,
  };
};
