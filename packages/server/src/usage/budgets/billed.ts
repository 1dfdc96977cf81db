// The time billed to an account or key in a day or month, from the ledger's daily sums.
import type { Database, DatabaseTransaction } from '../../storage/schema.ts';
import type { BudgetScope } from './budget.ts';

export const billedIn = async (
  db: Database | DatabaseTransaction,
  { accountId, keyId }: BudgetScope,
  period: string,
): Promise<number> => {
  const isDay = period.length > 'YYYY-MM'.length;
  let select = db
    .selectFrom('usage_daily')
    .select(({ fn }) => fn.sum<number | null>('billed_ms').as('billed_ms'))
    .where('account_id', '=', accountId)
    .where('day', '>=', isDay ? period : `${period}-01`)
    .where('day', '<=', isDay ? period : `${period}-31`);
  if (keyId !== null) select = select.where('key_id', '=', keyId);
  return (await select.executeTakeFirst())?.billed_ms ?? 0;
};
