// `faircopy budgets`: billed seconds that an account or a key may use in a day and in a month.
import { InvalidArgumentError } from 'commander';
import type { Storage } from '../../storage/open.ts';
import type { BudgetScope } from '../../usage/budgets/budget.ts';
import type { BudgetListing } from '../../usage/budgets/budgets.ts';
import type { AddCommand } from '../command.ts';
import { formatTable, harmless, print } from '../output.ts';
import { withStorage } from '../with-storage.ts';

interface SubjectOptions {
  readonly account: string;
  readonly key?: string;
}

interface SetOptions extends SubjectOptions {
  readonly daySeconds?: number;
  readonly monthSeconds?: number;
  readonly warnPercent?: number;
  readonly stop?: boolean;
}

const subjectOf = async (storage: Storage, { account, key }: SubjectOptions): Promise<BudgetScope> => {
  const [{ accountNamed }, { findKey }, { Fault }] = await Promise.all([
    import('../../accounts/accounts.ts'),
    import('../../accounts/keys/keys.ts'),
    import('../../lib/fault.ts'),
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
    await setBudget(storage, await subjectOf(storage, options), {
      daySeconds: options.daySeconds ?? null,
      monthSeconds: options.monthSeconds ?? null,
      warnPercent: options.warnPercent ?? WARN_PERCENT_DEFAULT,
      stops: options.stop ?? false,
    });
    console.error(
      options.stop
        ? 'Requests are refused once it is used up, on every server.'
        : 'A warning is given; nothing is refused. Add --stop to refuse requests once it is used up.',
    );
  });

const remove = (options: SubjectOptions): Promise<void> =>
  withStorage(async (storage) => {
    const { setBudget } = await import('../../usage/budgets/budgets.ts');
    await setBudget(storage, await subjectOf(storage, options), null);
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
    if (json) return void (await print(`${JSON.stringify(budgets.map(toJson), null, 2)}\n`));
    const names = new Map((await listKeys(storage.read, id)).map((key) => [key.id, key.name]));
    const seconds = (ms: number | null) => (ms === null ? null : ms / 1000);
    const text = formatTable(
      budgets,
      [
        { title: 'key', value: ({ keyId }) => (keyId === null ? 'all' : (names.get(keyId) ?? keyId)) },
        { title: 'day s', value: ({ dayMs }) => seconds(dayMs) },
        { title: 'spent', value: ({ spentMs }) => seconds(spentMs.day) },
        { title: 'month s', value: ({ monthMs }) => seconds(monthMs) },
        { title: 'spent', value: ({ spentMs }) => seconds(spentMs.month) },
        { title: 'warns at', value: ({ warnPercent }) => `${warnPercent} %` },
        { title: 'stops', value: ({ stops }) => (stops ? 'yes' : 'no') },
      ],
      process.stdout.isTTY,
    );
    await print(text);
    if (budgets.length === 0) console.error(`"${harmless(account)}" has no budget.`);
  });

const toJson = ({ keyId, dayMs, monthMs, warnPercent, stops, spentMs }: BudgetListing) => ({
  key_id: keyId,
  day_seconds: dayMs === null ? null : dayMs / 1000,
  month_seconds: monthMs === null ? null : monthMs / 1000,
  warn_percent: warnPercent,
  stops,
  spent_day_seconds: spentMs.day / 1000,
  spent_month_seconds: spentMs.month / 1000,
});

const whole = (text: string): number => {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('Write a whole number.');
  return Number(text);
};

export const addBudgets: AddCommand = (program) => {
  const budgets = program.command('budgets').description('seconds that an account or a key may use');
  budgets
    .command('set')
    .description('set the budget of an account, or of one of its keys; it replaces the one before')
    .requiredOption('--account <name>', 'whose budget')
    .option('--key <key>', 'of this key alone: its id, or its prefix')
    .option('--day-seconds <n>', 'billed seconds in a day (UTC)', whole)
    .option('--month-seconds <n>', 'billed seconds in a month (UTC)', whole)
    .option('--warn-percent <n>', 'warn at this part of it; 80 by default', whole)
    .option('--stop', 'refuse requests once it is used up')
    .action(set);
  budgets
    .command('remove')
    .description('remove a budget')
    .requiredOption('--account <name>', 'whose budget')
    .option('--key <key>', 'of this key alone')
    .action(remove);
  budgets
    .command('list')
    .description('the budgets of an account and its keys, with what was spent')
    .requiredOption('--account <name>', 'whose budgets')
    .option('--json', 'as JSON')
    .action(list);
};
