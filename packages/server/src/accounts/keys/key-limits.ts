// How many keys people may make: enough for every program they run, not enough to fill the database.
import { Fault } from '../../lib/fault.ts';
import type { DatabaseTransaction } from '../../storage/schema.ts';

export const KEY_LIMITS = {
  /** Valid keys an account may have before its members can make no more. */
  activePerAccountMax: 500,
  /** Valid keys one member may have made in an account. */
  activePerMemberMax: 50,
  /** Keys one member may make in a day, those revoked again and those of the playground included. */
  madePerMemberAndDayMax: 200,
} as const;

const DAY_MS = 24 * 60 * 60 * 1000;

/** For keys that a person makes; the command line is the operator's and has no such limit. */
export const checkKeyLimits = async (
  trx: DatabaseTransaction,
  { accountId, personId }: { readonly accountId: string; readonly personId: string },
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
    throw new Fault('CONFLICT', { message: `You have ${ofMember.total} valid keys here. Revoke one you do not need.` });
  if (ofAccount.total >= KEY_LIMITS.activePerAccountMax)
    throw new Fault('CONFLICT', { message: `The account has ${ofAccount.total} valid keys. Revoke one of them.` });
  if (madeToday.total >= KEY_LIMITS.madePerMemberAndDayMax)
    throw new Fault('RATE_LIMITED', { message: 'You have made very many keys today.', retryAfterSeconds: 3600 });
};
