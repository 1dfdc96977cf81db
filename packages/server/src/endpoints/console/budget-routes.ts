// Budgets in the console: spending, and limits that owners set for the account and its keys.
import { type BudgetRecord, setBudget as setBudgetSchema } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import { listKeys } from '../../accounts/keys/keys.ts';
import { Fault } from '../../lib/fault.ts';
import {
  type BudgetInput,
  type BudgetListing,
  listBudgets,
  setBudget,
  usedShare,
} from '../../usage/budgets/budgets.ts';
import { managing, parsed, visit } from './guard.ts';
import type { ConsolePorts } from './ports.ts';

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

const stateOf = (budget: BudgetListing): BudgetRecord['state'] => {
  const used = usedShare(budget);
  if (used >= 1) return budget.stops ? 'stopped' : 'used_up';
  return used * 100 >= budget.warnPercent ? 'warning' : 'open';
};

const shape = (budget: BudgetListing): BudgetRecord => ({
  key_id: budget.keyId,
  day_seconds: seconds(budget.dayMs),
  month_seconds: seconds(budget.monthMs),
  warn_percent: budget.warnPercent,
  stops: budget.stops,
  spent_day_seconds: budget.spentMs.day / 1000,
  spent_month_seconds: budget.spentMs.month / 1000,
  state: stateOf(budget),
});

const termsOf = (
  budget: Pick<BudgetRecord, 'day_seconds' | 'month_seconds' | 'warn_percent' | 'stops'>,
): BudgetInput => ({
  daySeconds: budget.day_seconds,
  monthSeconds: budget.month_seconds,
  warnPercent: budget.warn_percent,
  stops: budget.stops,
});

export const registerBudgetRoutes = (app: FastifyInstance, ports: ConsolePorts): void => {
  const { storage } = ports;
  const base = '/console/api/accounts/:accountId/budgets';

  app.get(base, async (request): Promise<BudgetRecord[]> => {
    const { account } = await visit(ports, request);
    return (await listBudgets(storage.read, account.id)).map(shape);
  });

  /** A budget with neither a daily nor a monthly limit is removed. */
  app.put(base, async (request): Promise<BudgetRecord[]> => {
    const { account } = await managing(ports, request);
    const input = parsed(setBudgetSchema, request.body);
    const { key_id: keyId, before } = input;
    if (keyId !== null && !(await listKeys(storage.read, account.id)).some(({ id }) => id === keyId))
      throw new Fault('NOT_FOUND', { message: 'There is no such key in this account.' });
    const isNone = input.day_seconds === null && input.month_seconds === null;
    await setBudget(
      storage,
      { accountId: account.id, keyId },
      isNone ? null : termsOf(input),
      Date.now(),
      before ? termsOf(before) : before,
    );
    return (await listBudgets(storage.write, account.id)).map(shape);
  });
};
