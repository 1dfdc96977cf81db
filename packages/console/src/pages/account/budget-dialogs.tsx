// The forms of budgets: one to set a budget of the account or of a key, one to remove it.
import type { BudgetRecord } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { type BudgetWish, budgetsApi } from '../../api/budgets.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Check, Choice, Field } from '../../parts/field.tsx';
import { Form, textOf } from '../../parts/form.tsx';
import { useSession } from '../../session.ts';

const WARN_PERCENT = 80;

/** People think in minutes; budgets are kept in whole seconds. An empty field is no budget. */
const secondsOf = (values: FormData, name: string): number | null => {
  const text = textOf(values, name);
  return text === '' ? null : Math.round(Number(text) * 60);
};
const minutesOf = (seconds: number | null | undefined): string =>
  seconds === null || seconds === undefined ? '' : String(Math.round((seconds / 60) * 100) / 100);

interface SetDialogProps {
  readonly budgets: readonly BudgetRecord[];
  /** Id and name: the account is ''. */
  readonly owners: readonly (readonly [id: string, name: string])[];
  /** Whose budget is shown first. */
  readonly first: string;
  readonly onClose: () => void;
}

export const SetBudgetDialog = ({ budgets, owners, first, onClose }: SetDialogProps) => {
  const { accountId } = useSession();
  const [whose, setWhose] = useState(first);
  const present = budgets.find(({ key_id }) => (key_id ?? '') === whose) ?? null;
  const save = async (values: FormData) => {
    const wish: BudgetWish = {
      key_id: whose === '' ? null : whose,
      day_seconds: secondsOf(values, 'day'),
      month_seconds: secondsOf(values, 'month'),
      warn_percent: Number(textOf(values, 'warn') || WARN_PERCENT),
      stops: values.has('stops'),
    };
    if (wish.day_seconds === null && wish.month_seconds === null)
      throw new Error('Give minutes for a day, for a month, or for both.');
    await budgetsApi.set(accountId, wish, present);
    onClose();
  };
  const number = { type: 'number', min: 0, step: 'any', inputMode: 'decimal' } as const;
  return (
    <Dialog title="Set a budget" onClose={onClose}>
      <Form key={whose} submit="Save the budget" onCancel={onClose} onSubmit={save}>
        <Choice label="Budget of" value={whose} onChange={setWhose} options={owners} />
        <div class="field-pair">
          <Field label="Minutes a day" name="day" {...number} value={minutesOf(present?.day_seconds)} />
          <Field label="Minutes a month" name="month" {...number} value={minutesOf(present?.month_seconds)} />
        </div>
        <p class="hint">Minutes that are billed, by days and months of UTC. Leave one empty for no limit on it.</p>
        <Field
          label="Warn at this percentage"
          name="warn"
          type="number"
          min={0}
          max={100}
          step={1}
          value={present?.warn_percent ?? WARN_PERCENT}
        />
        <Check
          label="Refuse requests once it is used up"
          name="stops"
          checked={present?.stops ?? false}
          hint="Until the day or month is over. Otherwise it only warns."
        />
      </Form>
    </Dialog>
  );
};

interface RemoveDialogProps {
  readonly budget: BudgetRecord;
  readonly name: string;
  readonly onClose: () => void;
}

export const RemoveBudgetDialog = ({ budget, name, onClose }: RemoveDialogProps) => {
  const { accountId } = useSession();
  return (
    <Dialog title="Remove this budget?" onClose={onClose}>
      <p>
        Nothing is refused any more for what <bdi class="name">{name}</bdi> used.
      </p>
      <Form
        submit="Remove the budget"
        danger
        onCancel={onClose}
        onSubmit={async () => {
          await budgetsApi.set(accountId, { ...budget, day_seconds: null, month_seconds: null }, budget);
          onClose();
        }}
      />
    </Dialog>
  );
};
