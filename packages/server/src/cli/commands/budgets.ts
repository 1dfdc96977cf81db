// `faircopy budgets`: billed seconds that an account or a key may use in a day and in a month.
import { Fault } from '../../lib/fault.ts';
import type { Storage } from '../../storage/open.ts';
import type { BudgetScope } from '../../usage/budgets/budget.ts';
import type { BudgetListing } from '../../usage/budgets/budgets.ts';
import { wholeNumber } from '../arguments.ts';
import type { ConfigureCommand } from '../command.ts';
import { printJson, printTable, sanitise } from '../output.ts';
import { withStorage } from '../with-storage.ts';

interface ScopeOptions {
  readonly account: string;
  readonly key?: string;
}

interface SetOptions extends ScopeOptions {
  readonly daySeconds?: number;
  readonly monthSeconds?: number;
  readonly warnPercent?: number;
  readonly stop?: boolean;
}

const SECONDS_MAX = 9_999_999_999;

const scopeOf = async (storage: Storage, { account, key }: ScopeOptions): Promise<BudgetScope> => {
  const [{ accountNamed }, { findKey }] = await Promise.all([
    import('../../accounts/accounts.ts'),
    import('../../accounts/keys/keys.ts'),
  ]);
  const { id: accountId } = await accountNamed(storage.read, account);
  if (key === undefined) return { accountId, keyId: null };
  const found = await findKey(storage.read, key);
  if (found.accountId !== accountId)
    throw new Fault('NOT_FOUND', { message: `The account "${account}" has no such key.` });
  return { accountId, keyId: found.id };
};

const set = (options: SetOptions): Promise<void> =>
  withStorage(async (storage) => {
    const { setBudget, WARN_PERCENT_DEFAULT } = await import('../../usage/budgets/budgets.ts');
    await setBudget(storage, await scopeOf(storage, options), {
      daySeconds: options.daySeconds ?? null,
      monthSeconds: options.monthSeconds ?? null,
      warnPercent: options.warnPercent ?? WARN_PERCENT_DEFAULT,
      stops: options.stop ?? false,
    });
    console.error(
      options.stop
        ? 'All servers refuse requests once the budget is used up.'
        : 'The budget only warns. Add --stop to refuse requests once it is used up.',
    );
  });

const remove = (options: ScopeOptions): Promise<void> =>
  withStorage(async (storage) => {
    const { setBudget } = await import('../../usage/budgets/budgets.ts');
    await setBudget(storage, await scopeOf(storage, options), null);
  });

const list = ({ account, json }: { account: string; json?: boolean }): Promise<void> =>
  withStorage(async (storage) => {
    const [{ accountNamed }, { listKeys }, { listBudgets }] = await Promise.all([
      import('../../accounts/accounts.ts'),
      import('../../accounts/keys/keys.ts'),
      import('../../usage/budgets/budgets.ts'),
    ]);
    const { id } = await accountNamed(storage.read, account);
    const budgets = await listBudgets(storage.read, id);
    if (json) return void (await printJson(budgets.map(toJson)));
    const names = new Map((await listKeys(storage.read, id)).map((key) => [key.id, key.name]));
    await printTable(budgets, [
      { title: 'key', value: ({ keyId }) => (keyId === null ? 'all' : (names.get(keyId) ?? keyId)) },
      { title: 'day s', value: ({ dayMs }) => seconds(dayMs) },
      { title: 'spent', value: ({ spentMs }) => seconds(spentMs.day) },
      { title: 'month s', value: ({ monthMs }) => seconds(monthMs) },
      { title: 'spent', value: ({ spentMs }) => seconds(spentMs.month) },
      { title: 'warns at', value: ({ warnPercent }) => `${warnPercent} %` },
      { title: 'stops', value: ({ stops }) => (stops ? 'yes' : 'no') },
    ]);
    if (budgets.length === 0) console.error(`"${sanitise(account)}" has no budget.`);
  });

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

const toJson = ({ keyId, dayMs, monthMs, warnPercent, stops, spentMs }: BudgetListing) => ({
  key_id: keyId,
  day_seconds: seconds(dayMs),
  month_seconds: seconds(monthMs),
  warn_percent: warnPercent,
  stops,
  spent_day_seconds: seconds(spentMs.day),
  spent_month_seconds: seconds(spentMs.month),
});

export const configureBudgets: ConfigureCommand = (budgets) => {
  budgets
    .command('set')
    .description('set or replace the budget of an account or of one of its keys')
    .requiredOption('--account <name>')
    .option('--key <key>', 'the id or prefix of one key')
    .option('--day-seconds <n>', 'billed seconds in a day (UTC)', wholeNumber(0, SECONDS_MAX))
    .option('--month-seconds <n>', 'billed seconds in a month (UTC)', wholeNumber(0, SECONDS_MAX))
    .option('--warn-percent <n>', 'warn at this share; 80 by default', wholeNumber(0, SECONDS_MAX))
    .option('--stop', 'refuse requests once it is used up')
    .action(set);
  budgets
    .command('remove')
    .description('remove a budget')
    .requiredOption('--account <name>')
    .option('--key <key>', 'the id or prefix of one key')
    .action(remove);
  budgets
    .command('list')
    .description('list the budgets of an account and its keys, with the seconds spent')
    .requiredOption('--account <name>')
    .option('--json', 'print JSON')
    .action(list);
};
