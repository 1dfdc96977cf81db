// Transfers a person to the owner of their e-mail address, as verified by an OpenID Connect provider.
import type { Storage } from '../../storage/open.ts';
import { booleanFor } from './engine-values.ts';

export interface ProvenIdentity {
  /** The person's id at the provider, as stored in `person_credentials`. */
  readonly providerAccountId: string;
  /** Verified by the provider; lower case. */
  readonly email: string;
}

/**
 * Call this before linking an identity. Whoever created the person may have used someone else's address, so the first
 * sign-in through the provider deletes the password, sessions and reset links. Does nothing if the identity is linked.
 */
export const claimPerson = (
  storage: Storage,
  providerId: string,
  { providerAccountId, email }: ProvenIdentity,
): Promise<void> =>
  storage.write.transaction().execute(async (trx) => {
    const linked = await trx
      .selectFrom('person_credentials')
      .select('id')
      .where('provider_id', '=', providerId)
      .where('provider_account_id', '=', providerAccountId)
      .executeTakeFirst();
    if (linked) return;
    const person = await trx.selectFrom('people').select('id').where('email', '=', email).executeTakeFirst();
    if (!person) return;
    await trx
      .deleteFrom('person_credentials')
      .where('person_id', '=', person.id)
      .where('password_hash', 'is not', null)
      .execute();
    await trx.deleteFrom('person_sessions').where('person_id', '=', person.id).execute();
    await trx.deleteFrom('welcome_links').where('person_id', '=', person.id).execute();
    await trx
      .updateTable('people')
      .set({ email_verified: booleanFor(storage.engine, true) })
      .where('id', '=', person.id)
      .execute();
  });
