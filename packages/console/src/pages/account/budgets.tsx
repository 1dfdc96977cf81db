// Budgets: seconds a day and a month for the account or one of its keys, what was spent of them, and a form for owners.
import type { BudgetRecord, KeyRecord } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { budgetsApi } from '../../api/budgets.ts';
import { api } from '../../api/console.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { Form, textOf } from '../../parts/form.tsx';
import { seconds } from '../../parts/format.ts';
import { Show } from '../../parts/states.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { useSession } from '../../session.ts';

const STATES: Readonly<Record<BudgetRecord['state'], readonly [text: string, tag: string]>> = {
  open: ['Open', 'tag-good'],
  warning: ['Nearly used up', 'tag-bad'],
  used_up: ['Used up', 'tag-bad'],
  stopped: ['Used up: requests are refused', 'tag-bad'],
};

const spent = (spentSeconds: number, limit: number | null): string =>
  limit === null ? '–' : `${seconds(spentSeconds)} of ${seconds(limit)}`;

const List = ({ budgets, names }: { budgets: readonly BudgetRecord[]; names: ReadonlyMap<string, string> }) => (
  <div class="table-frame">
    <table class="stack" data-testid="budgets">
      <thead>
        <tr>
          {['Whose', 'Today', 'This month', 'State'].map((head) => (
            <th key={head}>{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {budgets.map((budget) => (
          <tr key={budget.key_id ?? ''}>
            <td data-label="Whose">
              <bdi class="name">{budget.key_id === null ? 'The account' : (names.get(budget.key_id) ?? 'A key')}</bdi>
            </td>
            <td data-label="Today">{spent(budget.spent_day_seconds, budget.day_seconds)}</td>
            <td data-label="This month">{spent(budget.spent_month_seconds, budget.month_seconds)}</td>
            <td data-label="State">
              <span class={`tag ${STATES[budget.state][1]}`}>{STATES[budget.state][0]}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** An empty field is no budget. */
const numberOf = (values: FormData, name: string): number | null => {
  const text = textOf(values, name);
  return text === '' ? null : Number(text);
};

interface SetProps {
  readonly accountId: string;
  readonly budgets: readonly BudgetRecord[];
  readonly keys: readonly KeyRecord[];
  readonly changed: () => void;
}

const SetBudget = ({ accountId, budgets, keys, changed }: SetProps) => {
  const [whose, setWhose] = useState('');
  const present = budgets.find(({ key_id }) => (key_id ?? '') === whose);
  const options = [['', 'The account'] as const, ...keys.map(({ id, name }) => [id, name] as const)];
  return (
    <>
      <Choice label="Budget of" value={whose} onChange={setWhose} options={options} />
      <Form
        key={`${whose} ${JSON.stringify(present ?? null)}`}
        submit="Set the budget"
        saved="Saved"
        onSubmit={async (values) => {
          await budgetsApi.set(accountId, {
            key_id: whose === '' ? null : whose,
            day_seconds: numberOf(values, 'day'),
            month_seconds: numberOf(values, 'month'),
            warn_percent: numberOf(values, 'warn') ?? 80,
            stops: values.get('stops') === 'on',
          });
          changed();
        }}
      >
        <Field label="Seconds a day" name="day" type="number" min={0} step={1} value={present?.day_seconds ?? ''} />
        <Field
          label="Seconds a month"
          name="month"
          type="number"
          min={0}
          step={1}
          value={present?.month_seconds ?? ''}
        />
        <Field
          label="Warn at this percentage"
          name="warn"
          type="number"
          min={0}
          max={100}
          step={1}
          value={present?.warn_percent ?? 80}
        />
        <Field
          label="Refuse requests once it is used up"
          name="stops"
          type="checkbox"
          defaultChecked={present?.stops ?? false}
          hint="Days and months are those of UTC. Without seconds the budget is removed."
        />
      </Form>
    </>
  );
};

export const Budgets = () => {
  const { accountId, mayManage } = useSession();
  const budgets = useLoad(() => budgetsApi.list(accountId), [accountId]);
  const keys = useLoad(() => api.keys(accountId), [accountId]);
  return (
    <section class="card">
      <h2>Budgets</h2>
      <Show of={budgets} what="the budgets">
        {(list) => (
          <Show of={keys} what="the keys">
            {(ofAccount) => (
              <>
                {list.length > 0 ? (
                  <List budgets={list} names={new Map(ofAccount.map(({ id, name }) => [id, name]))} />
                ) : (
                  <p class="hint">There is no budget: nothing is refused for what was used.</p>
                )}
                {mayManage ? (
                  <SetBudget accountId={accountId} budgets={list} keys={ofAccount} changed={budgets.reload} />
                ) : null}
              </>
            )}
          </Show>
        )}
      </Show>
    </section>
  );
};
