// The budgets of the account and its keys, and how much of each is used.
import type { BudgetRecord } from '@faircopy/contract';
import { api } from '../../api/api.ts';
import { DataTable, RowAction } from '../../components/data-table.tsx';
import { useDialog } from '../../components/dialog.tsx';
import { Show } from '../../components/states.tsx';
import { Tag, type TagState } from '../../components/tag.tsx';
import { amount } from '../../format.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { useSession } from '../../session.ts';
import { RemoveBudgetDialog, SetBudgetDialog } from './budget-dialogs.tsx';

const STATES: Readonly<Record<BudgetRecord['state'], TagState>> = {
  open: ['Open', 'good'],
  warning: ['Nearly used up', 'warning'],
  used_up: ['Used up', 'bad'],
  stopped: ['Used up, refusing', 'bad'],
};

interface SpentProps {
  readonly what: string;
  readonly spent: number;
  readonly limit: number | null;
  readonly warnPercent: number;
}

const Spent = ({ what, spent, limit, warnPercent }: SpentProps) => {
  if (limit === null) return <span class="muted">no limit</span>;
  const max = Math.max(limit, 1);
  return (
    <>
      <span class="nowrap">
        {amount(spent)} of {amount(limit)}
      </span>
      <meter
        class="budget-meter"
        min={0}
        max={max}
        optimum={0}
        low={(max * warnPercent) / 100}
        high={max * 0.999}
        value={limit === 0 ? max : Math.min(spent, max)}
        aria-label={`${what}: ${amount(spent)} of ${amount(limit)}`}
      />
    </>
  );
};

export const Budgets = () => {
  const { accountId, mayManage } = useSession();
  const loaded = useLoad(async () => {
    const [budgets, keys] = await Promise.all([api.budgets(accountId), api.keys(accountId)]);
    return {
      budgets,
      owners: [['', 'The whole account'] as const, ...keys.map(({ id, name }) => [id, name] as const)],
    };
  }, [accountId]);
  const { dialog, openDialog } = useDialog(loaded.reload);
  const { budgets, owners } = loaded.load.state === 'ready' ? loaded.load.data : { budgets: [], owners: [] };
  const nameOf = ({ key_id }: BudgetRecord) => owners.find(([id]) => id === (key_id ?? ''))?.[1] ?? 'A key';
  const set = (owner: string) =>
    openDialog((close) => <SetBudgetDialog budgets={budgets} owners={owners} initial={owner} onClose={close} />);
  const remove = (budget: BudgetRecord) =>
    openDialog((close) => <RemoveBudgetDialog budget={budget} name={nameOf(budget)} onClose={close} />);
  return (
    <section>
      <div class="card-header">
        <h2>Budgets</h2>
        {mayManage && loaded.load.state === 'ready' ? (
          <button type="button" onClick={() => set('')}>
            Set a budget
          </button>
        ) : null}
      </div>
      <Show of={loaded} what="the budgets">
        {() =>
          budgets.length === 0 ? (
            <p class="muted">
              No budgets yet. A budget warns, or refuses requests, when the account or a key has used its minutes for a
              day or month.
            </p>
          ) : (
            <DataTable
              rows={budgets}
              keyOf={({ key_id }) => key_id ?? ''}
              testId="budgets"
              columns={[
                {
                  title: 'Budget of',
                  class: 'name',
                  isRowHeader: true,
                  cell: (budget) => (
                    <>
                      <bdi>{nameOf(budget)}</bdi>
                      <span class="secondary">
                        {budget.stops ? 'refuses when used up' : `warns at ${budget.warn_percent} %`}
                      </span>
                    </>
                  ),
                },
                {
                  title: 'Today',
                  cell: ({ spent_day_seconds: spent, day_seconds: limit, warn_percent }) => (
                    <Spent what="Today" spent={spent} limit={limit} warnPercent={warn_percent} />
                  ),
                },
                {
                  title: 'This month',
                  cell: ({ spent_month_seconds: spent, month_seconds: limit, warn_percent }) => (
                    <Spent what="This month" spent={spent} limit={limit} warnPercent={warn_percent} />
                  ),
                },
                { title: 'State', cell: ({ state }) => <Tag state={STATES[state]} /> },
              ]}
              actions={(budget) => {
                if (!mayManage) return null;
                const of = `the budget of ${nameOf(budget)}`;
                return (
                  <>
                    <RowAction text="Change" of={of} onClick={() => set(budget.key_id ?? '')} />
                    <RowAction text="Remove" of={of} isDanger onClick={() => remove(budget)} />
                  </>
                );
              }}
            />
          )
        }
      </Show>
      {dialog}
    </section>
  );
};
