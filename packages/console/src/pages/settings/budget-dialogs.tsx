// The dialogs that set and remove the budget of the account or of a key.
import type { BudgetRecord } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api, type BudgetSettings } from '../../api/api.ts';
import { Dialog, FormDialog } from '../../components/dialog.tsx';
import { Check, Choice, Field } from '../../components/field.tsx';
import { Form, textOf } from '../../components/form.tsx';
import { useSession } from '../../session.ts';

const WARN_PERCENT = 80;

/** The form shows minutes; budgets are stored in whole seconds. An empty field means no limit. */
const secondsOf = (values: FormData, name: string): number | null => {
  const text = textOf(values, name);
  return text === '' ? null : Math.round(Number(text) * 60);
};
const minutesOf = (seconds: number | null | undefined): string =>
  seconds === null || seconds === undefined ? '' : String(Math.round((seconds / 60) * 100) / 100);

interface SetDialogProps {
  readonly budgets: readonly BudgetRecord[];
  /** Key ids and names; '' is the account. */
  readonly owners: readonly (readonly [id: string, name: string])[];
  /** The owner that is selected first. */
  readonly initial: string;
  readonly onClose: () => void;
}

export const SetBudgetDialog = ({ budgets, owners, initial, onClose }: SetDialogProps) => {
  const { accountId } = useSession();
  const [owner, setOwner] = useState(initial);
  const current = budgets.find(({ key_id }) => (key_id ?? '') === owner) ?? null;
  const save = async (values: FormData) => {
    const settings: BudgetSettings = {
      key_id: owner === '' ? null : owner,
      day_seconds: secondsOf(values, 'day'),
      month_seconds: secondsOf(values, 'month'),
      warn_percent: Number(textOf(values, 'warn') || WARN_PERCENT),
      stops: values.has('stops'),
    };
    if (settings.day_seconds === null && settings.month_seconds === null)
      throw new Error('Enter minutes per day, per month, or both.');
    await api.setBudget(accountId, settings, current);
    onClose();
  };
  const number = { type: 'number', min: 0, step: 'any', inputMode: 'decimal' } as const;
  return (
    <Dialog title="Set a budget" onClose={onClose}>
      <Form key={owner} submit="Save budget" onCancel={onClose} onSubmit={save}>
        <Choice label="Budget of" value={owner} onChange={setOwner} options={owners} />
        <div class="field-pair">
          <Field label="Minutes per day" name="day" {...number} value={minutesOf(current?.day_seconds)} />
          <Field label="Minutes per month" name="month" {...number} value={minutesOf(current?.month_seconds)} />
        </div>
        <p class="hint">Billed minutes per UTC day and month. Leave a field empty for no limit.</p>
        <Field
          label="Warn at this percentage"
          name="warn"
          type="number"
          min={0}
          max={100}
          step={1}
          value={current?.warn_percent ?? WARN_PERCENT}
        />
        <Check
          label="Refuse requests when it is used up"
          name="stops"
          checked={current?.stops ?? false}
          hint="Until the day or month ends. Otherwise it only warns."
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
    <FormDialog
      title="Remove this budget?"
      submit="Remove budget"
      danger
      onClose={onClose}
      onSubmit={() => api.setBudget(accountId, { ...budget, day_seconds: null, month_seconds: null }, budget)}
    >
      <p>
        The usage of <bdi class="name">{name}</bdi> will no longer be limited by this budget.
      </p>
    </FormDialog>
  );
};
