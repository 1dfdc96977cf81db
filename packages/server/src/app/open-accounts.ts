// Opens the account services of requests: authentication with limits, and counts of vocabulary uses.
import { CachedAuthenticator } from '../accounts/authentication/authenticator.ts';
import type { AccountLimits } from '../accounts/principal.ts';
import { defaultLimitsOf } from '../accounts/settings.ts';
import { deleteVocabularyUses, VocabularyUses } from '../accounts/vocabulary/vocabulary-uses.ts';
import type { Database } from './open-database.ts';
import type { Base } from './open-observability.ts';

export interface Accounts {
  /** The limits of accounts without their own. */
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
