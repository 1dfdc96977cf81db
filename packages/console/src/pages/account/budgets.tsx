// Budgets: time a day and a month for the account or one of its keys, and what was spent of it.
import type { BudgetRecord } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { budgetsApi } from '../../api/budgets.ts';
import { api } from '../../api/console.ts';
import { amount } from '../../parts/format.ts';
import { StackTable } from '../../parts/stack-table.tsx';
import { Show } from '../../parts/states.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { useSession } from '../../session.ts';
import { RemoveBudgetDialog, SetBudgetDialog } from './budget-dialogs.tsx';

const THE_ACCOUNT = 'The whole account';

const STATES: Readonly<Record<BudgetRecord['state'], readonly [text: string, tag: string]>> = {
  open: ['Open', 'tag-good'],
  warning: ['Nearly used up', 'tag-warm'],
  used_up: ['Used up', 'tag-bad'],
  stopped: ['Used up, refusing', 'tag-bad'],
};

interface SpentProps {
  readonly what: string;
  readonly spent: number;
  readonly limit: number | null;
  readonly warnPercent: number;
}

const Spent = ({ what, spent, limit, warnPercent }: SpentProps) => {
  if (limit === null) return <span class="quiet">no limit</span>;
  const most = Math.max(limit, 1);
  return (
    <>
      <span class="nowrap">
        {amount(spent)} of {amount(limit)}
      </span>
      <meter
        class="budget-meter"
        min={0}
        max={most}
        optimum={0}
        low={(most * warnPercent) / 100}
        high={most * 0.999}
        value={limit === 0 ? most : Math.min(spent, most)}
        aria-label={`${what}: ${amount(spent)} of ${amount(limit)}`}
      />
    </>
  );
};

interface RowProps {
  readonly budget: BudgetRecord;
  readonly name: string;
  readonly onSet: () => void;
  readonly onRemove: () => void;
}

const Row = ({ budget, name, onSet, onRemove }: RowProps) => {
  const { mayManage } = useSession();
  const { warn_percent: warnPercent } = budget;
  return (
    <tr>
      <th scope="row" class="name">
        <bdi>{name}</bdi>
        <span class="below">{budget.stops ? 'refuses when used up' : `warns at ${warnPercent} %`}</span>
      </th>
      <td data-label="Today">
        <Spent what="Today" spent={budget.spent_day_seconds} limit={budget.day_seconds} warnPercent={warnPercent} />
      </td>
      <td data-label="This month">
        <Spent
          what="This month"
          spent={budget.spent_month_seconds}
          limit={budget.month_seconds}
          warnPercent={warnPercent}
        />
      </td>
      <td data-label="State">
        <span class={`tag ${STATES[budget.state][1]}`}>{STATES[budget.state][0]}</span>
      </td>
      <td class="row-actions">
        {mayManage ? (
          <>
            <button type="button" class="quiet-button" onClick={onSet}>
              Change<span class="unseen"> the budget of {name}</span>
            </button>
            <button type="button" class="quiet-button danger-text" onClick={onRemove}>
              Remove<span class="unseen"> the budget of {name}</span>
            </button>
          </>
        ) : null}
      </td>
    </tr>
  );
};

type Open =
  | { readonly dialog: 'set'; readonly whose: string }
  | { readonly dialog: 'remove'; readonly of: BudgetRecord };

export const Budgets = () => {
  const { accountId, mayManage } = useSession();
  const [open, setOpen] = useState<Open | null>(null);
  const loaded = useLoad(async () => {
    const [budgets, keys] = await Promise.all([budgetsApi.list(accountId), api.keys(accountId)]);
    return { budgets, owners: [['', THE_ACCOUNT] as const, ...keys.map(({ id, name }) => [id, name] as const)] };
  }, [accountId]);
  const close = () => {
    setOpen(null);
    loaded.reload();
  };
  return (
    <section>
      <div class="card-head">
        <h2>Budgets</h2>
        {mayManage ? (
          <button type="button" onClick={() => setOpen({ dialog: 'set', whose: '' })}>
            Set a budget
          </button>
        ) : null}
      </div>
      <Show of={loaded} what="the budgets">
        {({ budgets, owners }) => {
          const nameOf = ({ key_id }: BudgetRecord) => owners.find(([id]) => id === (key_id ?? ''))?.[1] ?? 'A key';
          return (
            <>
              {budgets.length === 0 ? (
                <p class="quiet">
                  There is none: nothing is refused for what was used. A budget warns, or refuses requests, when the
                  account or one of its keys has used so many minutes in a day or a month.
                </p>
              ) : (
                <StackTable heads={['Whose', 'Today', 'This month', 'State']} unseenHead="Actions" testId="budgets">
                  {budgets.map((budget) => (
                    <Row
                      key={budget.key_id ?? ''}
                      budget={budget}
                      name={nameOf(budget)}
                      onSet={() => setOpen({ dialog: 'set', whose: budget.key_id ?? '' })}
                      onRemove={() => setOpen({ dialog: 'remove', of: budget })}
                    />
                  ))}
                </StackTable>
              )}
              {open?.dialog === 'set' ? (
                <SetBudgetDialog budgets={budgets} owners={owners} first={open.whose} onClose={close} />
              ) : null}
              {open?.dialog === 'remove' ? (
                <RemoveBudgetDialog budget={open.of} name={nameOf(open.of)} onClose={close} />
              ) : null}
            </>
          );
        }}
      </Show>
    </section>
  );
};
