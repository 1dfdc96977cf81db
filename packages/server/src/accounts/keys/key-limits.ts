// Limits the keys that people can create, so that they cannot fill the database.
import { Fault } from '../../lib/fault.ts';
import { PLAYGROUND_CREATOR } from '../../storage/playground-keys.ts';
import type { DatabaseTransaction } from '../../storage/schema.ts';

export const KEY_LIMITS = {
  activePerAccountMax: 500,
  activePerMemberMax: 50,
  /** Tabs in which a member may use the playground at the same time. */
  playgroundPerMemberMax: 10,
  /** Includes revoked keys and the playground's keys. */
  madePerMemberAndDayMax: 200,
} as const;

const DAY_MS = 24 * 60 * 60 * 1000;

interface Member {
  readonly accountId: string;
  readonly personId: string;
}

/** For keys created in the console. The command line has no limit. */
export const checkKeyLimits = async (
  trx: DatabaseTransaction,
  { accountId, personId }: Member,
  nowMs: number,
): Promise<void> => {
  const count = trx
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('account_id', '=', accountId);
  const active = count
    .where('revoked_at_ms', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at_ms', 'is', null), eb('expires_at_ms', '>', nowMs)]));
  const [ofAccount, ofMember, madeToday] = [
    await active.executeTakeFirstOrThrow(),
    await active.where('person_id', '=', personId).executeTakeFirstOrThrow(),
    await count
      .where('person_id', '=', personId)
      .where('created_at_ms', '>', nowMs - DAY_MS)
      .executeTakeFirstOrThrow(),
  ];
  if (ofMember.total >= KEY_LIMITS.activePerMemberMax)
    throw new Fault('CONFLICT', {
      message: `You have ${ofMember.total} valid keys in this account. Revoke one that you no longer need.`,
    });
  if (ofAccount.total >= KEY_LIMITS.activePerAccountMax)
    throw new Fault('CONFLICT', { message: `The account has ${ofAccount.total} valid keys. Revoke one of them.` });
  if (madeToday.total >= KEY_LIMITS.madePerMemberAndDayMax)
    throw new Fault('RATE_LIMITED', { message: 'You have created too many keys today.', retryAfterSeconds: 3600 });
};

/**
 * Lets a member's oldest playground keys expire to make room for another: lists hide them, so nobody could revoke one.
 * They are not revoked, because jobs that were sent with them still wait.
 */
export const retirePlaygroundKeys = async (
  trx: DatabaseTransaction,
  { accountId, personId }: Member,
  nowMs: number,
): Promise<void> => {
  const valid = await trx
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where('person_id', '=', personId)
    .where('created_by', '=', PLAYGROUND_CREATOR)
    .where('revoked_at_ms', 'is', null)
    .where('expires_at_ms', '>', nowMs)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const old = valid.slice(KEY_LIMITS.playgroundPerMemberMax - 1).map(({ id }) => id);
  if (old.length > 0) await trx.updateTable('api_keys').set({ expires_at_ms: nowMs }).where('id', 'in', old).execute();
};
