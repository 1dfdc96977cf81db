// All accounts of the server: create, rename, limit and close.
import type { AccountSummary } from '@faircopy/contract';
import { api, type Limits } from '../../api/api.ts';
import { DataTable, RowAction } from '../../components/data-table.tsx';
import { FormDialog, useDialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { textOf } from '../../components/form.tsx';
import { SearchableList } from '../../components/searchable-list.tsx';
import { Show } from '../../components/states.tsx';
import { amount, count, day } from '../../format.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { accountUrl, useSession } from '../../session.ts';

const numberOrNull = (text: string): number | null => (text === '' ? null : Number(text));

const LIMITS = [
  ['max_streams', 'Open streams', 0, 100_000],
  ['max_duration_seconds', 'Longest file, seconds', 1, 86_400],
  ['max_uploads', 'Concurrent files', 0, 100_000],
  ['max_waiting_seconds', 'Waiting audio, seconds', 1, 604_800],
] as const;

interface DialogProps {
  readonly account: AccountSummary;
  readonly onClose: () => void;
}

const LimitsDialog = ({ account, onClose }: DialogProps) => (
  <FormDialog
    title={`Limits of ${account.name}`}
    submit="Save limits"
    onClose={onClose}
    onSubmit={(values) => {
      const limits = Object.fromEntries(LIMITS.map(([name]) => [name, numberOrNull(textOf(values, name))]));
      return api.setLimits(account.id, limits as Limits, account.limits);
    }}
  >
    <p class="muted">An empty field uses the server's default.</p>
    <div class="field-pair">
      {LIMITS.map(([name, label, min, max]) => (
        <Field
          key={name}
          label={label}
          name={name}
          type="number"
          min={min}
          max={max}
          placeholder="default"
          value={account.limits[name] ?? ''}
        />
      ))}
    </div>
  </FormDialog>
);

const RenameDialog = ({ account, onClose }: DialogProps) => (
  <FormDialog
    title={`Rename ${account.name}`}
    submit="Rename"
    onClose={onClose}
    onSubmit={(values) => api.rename(account.id, textOf(values, 'name'), account.name)}
  >
    <Field label="New name" name="name" required maxLength={200} value={account.name} />
  </FormDialog>
);

const CloseDialog = ({ account, onClose }: DialogProps) => (
  <FormDialog
    title={`Close ${account.name}?`}
    submit="Close the account"
    danger
    onClose={onClose}
    onSubmit={() => api.closeAccount(account.id)}
  >
    <p>
      Its keys stop working and its streams end within a second. Only administrators can still see it and its usage. You
      cannot undo this.
    </p>
  </FormDialog>
);

const CreateDialog = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title="New account"
    submit="Create account"
    onClose={onClose}
    onSubmit={(values) => api.createAccount(textOf(values, 'name'))}
  >
    <Field label="Name" name="name" required maxLength={200} />
  </FormDialog>
);

const limitsText = ({ limits }: AccountSummary): string => {
  const own = [
    limits.max_streams === null ? null : `${count(limits.max_streams)} streams`,
    limits.max_duration_seconds === null ? null : `files of ${amount(limits.max_duration_seconds)}`,
    limits.max_uploads === null ? null : `${count(limits.max_uploads)} concurrent files`,
    limits.max_waiting_seconds === null ? null : `${amount(limits.max_waiting_seconds)} waiting`,
  ].filter(Boolean);
  return own.join(', ') || 'default';
};

interface AccountTableProps {
  readonly accounts: readonly AccountSummary[];
  readonly openDialog: ReturnType<typeof useDialog>['openDialog'];
}

const AccountTable = ({ accounts, openDialog }: AccountTableProps) => (
  <DataTable
    rows={accounts}
    keyOf={({ id }) => id}
    columns={[
      {
        title: 'Name',
        class: 'name',
        isRowHeader: true,
        cell: (account) => (
          <>
            <a href={accountUrl(account.id, 'usage')}>
              <bdi>{account.name}</bdi>
            </a>
            {account.closed_at ? <span class="tag tag-bad">closed</span> : null}
          </>
        ),
      },
      { title: 'Created', class: 'nowrap', cell: (account) => day(account.created_at) },
      {
        title: 'Keys',
        class: 'number',
        cell: (account) => (
          <a href={accountUrl(account.id, 'keys')} aria-label={`Keys of ${account.name}: ${count(account.keys)}`}>
            {count(account.keys)}
          </a>
        ),
      },
      { title: 'People', class: 'number', cell: (account) => count(account.members) },
      { title: 'Billed, 30 days', class: 'number', cell: (account) => amount(account.billed_seconds_30d) },
      { title: 'Limits', cell: limitsText },
    ]}
    actions={(account) => {
      if (account.closed_at) return null;
      const open = (OpenedDialog: (props: DialogProps) => ReturnType<typeof LimitsDialog>) => () =>
        openDialog((close) => <OpenedDialog account={account} onClose={close} />);
      return (
        <>
          <RowAction text="Limits" of={`of ${account.name}`} onClick={open(LimitsDialog)} />
          <RowAction text="Rename" of={account.name} onClick={open(RenameDialog)} />
          <RowAction text="Close" of={account.name} isDanger onClick={open(CloseDialog)} />
        </>
      );
    }}
  />
);

export const Accounts = () => {
  const { refresh } = useSession();
  const accounts = useLoad(api.accounts, []);
  const { dialog, openDialog } = useDialog(() => {
    accounts.reload();
    // The user may be a member of the account that changed.
    refresh();
  });
  return (
    <section>
      <div class="card-header">
        <h2>Accounts</h2>
        <button type="button" onClick={() => openDialog((close) => <CreateDialog onClose={close} />)}>
          New account
        </button>
      </div>
      <Show of={accounts} what="accounts">
        {(all) => (
          <SearchableList what="an account" items={all} textOf={({ name }) => name}>
            {(found) => <AccountTable accounts={found} openDialog={openDialog} />}
          </SearchableList>
        )}
      </Show>
      {dialog}
    </section>
  );
};
