// Every account of the server: opened, given limits, renamed, closed.
import type { AccountSummary } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api, type Limits } from '../../api/console.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Finder } from '../../parts/finder.tsx';
import { Form, textOf } from '../../parts/form.tsx';
import { amount, count, day } from '../../parts/format.ts';
import { number, StackTable } from '../../parts/stack-table.tsx';
import { Show } from '../../parts/states.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { accountPage, useSession } from '../../session.ts';

const numberOrNull = (text: string): number | null => (text === '' ? null : Number(text));

const LIMITS = [
  ['max_streams', 'Open streams', 0, 100_000],
  ['max_duration_seconds', 'Longest file, seconds', 1, 86_400],
  ['max_uploads', 'Files at the same time', 0, 100_000],
  ['max_waiting_seconds', 'Audio that may wait, seconds', 1, 604_800],
] as const;

interface DialogProps {
  readonly account: AccountSummary;
  readonly onClose: () => void;
}

const LimitsDialog = ({ account, onClose }: DialogProps) => (
  <Dialog title={`Limits of ${account.name}`} onClose={onClose}>
    <Form
      submit="Save limits"
      onCancel={onClose}
      onSubmit={async (values) => {
        const limits = Object.fromEntries(LIMITS.map(([name]) => [name, numberOrNull(textOf(values, name))]));
        await api.setLimits(account.id, limits as unknown as Limits, account.limits);
        onClose();
      }}
    >
      <p class="quiet">What is left empty is the server's default.</p>
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
    </Form>
  </Dialog>
);

const RenameDialog = ({ account, onClose }: DialogProps) => {
  const { refresh } = useSession();
  return (
    <Dialog title={`Rename ${account.name}`} onClose={onClose}>
      <Form
        submit="Rename"
        onCancel={onClose}
        onSubmit={async (values) => {
          await api.rename(account.id, textOf(values, 'name'), account.name);
          refresh();
          onClose();
        }}
      >
        <Field label="New name" name="name" required maxLength={200} value={account.name} />
      </Form>
    </Dialog>
  );
};

const CloseDialog = ({ account, onClose }: DialogProps) => {
  const { refresh } = useSession();
  return (
    <Dialog title={`Close ${account.name}?`} onClose={onClose}>
      <p>
        Its keys stop working and its streams end within a second. Nobody sees it any more but administrators, who keep
        its usage. This cannot be undone.
      </p>
      <Form
        submit="Close the account"
        danger
        onCancel={onClose}
        onSubmit={async () => {
          await api.closeAccount(account.id);
          refresh();
          onClose();
        }}
      />
    </Dialog>
  );
};

const CreateDialog = ({ onClose }: { onClose: () => void }) => {
  const { refresh } = useSession();
  return (
    <Dialog title="New account" onClose={onClose}>
      <Form
        submit="Create account"
        onCancel={onClose}
        onSubmit={async (values) => {
          await api.createAccount(textOf(values, 'name'));
          refresh();
          onClose();
        }}
      >
        <Field label="Name" name="name" required maxLength={200} />
      </Form>
    </Dialog>
  );
};

const limitsText = ({ limits }: AccountSummary): string => {
  const own = [
    limits.max_streams === null ? null : `${count(limits.max_streams)} streams`,
    limits.max_duration_seconds === null ? null : `files of ${amount(limits.max_duration_seconds)}`,
    limits.max_uploads === null ? null : `${count(limits.max_uploads)} files at once`,
    limits.max_waiting_seconds === null ? null : `${amount(limits.max_waiting_seconds)} waiting`,
  ].filter(Boolean);
  return own.join(', ') || 'default';
};

type Open = { readonly dialog: 'limits' | 'rename' | 'close'; readonly account: AccountSummary } | 'create' | null;

const Row = ({ account, onOpen }: { account: AccountSummary; onOpen: (open: Open) => void }) => (
  <tr>
    <th scope="row" class="name">
      <a href={accountPage(account.id, 'usage')}>
        <bdi>{account.name}</bdi>
      </a>
      {account.closed_at ? <span class="tag tag-bad">closed</span> : null}
    </th>
    <td data-label="Created" class="nowrap">
      {day(account.created_at)}
    </td>
    <td data-label="Keys" class="number">
      <a href={accountPage(account.id, 'keys')} aria-label={`Keys of ${account.name}: ${count(account.keys)}`}>
        {count(account.keys)}
      </a>
    </td>
    <td data-label="People" class="number">
      {count(account.members)}
    </td>
    <td data-label="Billed, 30 days" class="number">
      {amount(account.billed_seconds_30d)}
    </td>
    <td data-label="Limits">{limitsText(account)}</td>
    <td class="row-actions">
      {account.closed_at ? null : (
        <>
          <button type="button" class="quiet-button" onClick={() => onOpen({ dialog: 'limits', account })}>
            Limits<span class="unseen"> of {account.name}</span>
          </button>
          <button type="button" class="quiet-button" onClick={() => onOpen({ dialog: 'rename', account })}>
            Rename<span class="unseen"> {account.name}</span>
          </button>
          <button type="button" class="quiet-button danger-text" onClick={() => onOpen({ dialog: 'close', account })}>
            Close<span class="unseen"> {account.name}</span>
          </button>
        </>
      )}
    </td>
  </tr>
);

export const Accounts = () => {
  const accounts = useLoad(api.accounts, []);
  const [open, setOpen] = useState<Open>(null);
  const close = () => {
    setOpen(null);
    accounts.reload();
  };
  const dialog = open === null || open === 'create' ? null : open;
  return (
    <section>
      <div class="card-head">
        <h2>Accounts</h2>
        <button type="button" onClick={() => setOpen('create')}>
          New account
        </button>
      </div>
      <Show of={accounts} what="accounts">
        {(all) => (
          <Finder what="an account" items={all} textOf={({ name }) => name}>
            {(list) => (
              <StackTable
                heads={['Name', 'Created', number('Keys'), number('People'), number('Billed, 30 days'), 'Limits']}
                unseenHead="Actions"
              >
                {list.map((account) => (
                  <Row key={account.id} account={account} onOpen={setOpen} />
                ))}
              </StackTable>
            )}
          </Finder>
        )}
      </Show>
      {open === 'create' ? <CreateDialog onClose={close} /> : null}
      {dialog?.dialog === 'limits' ? <LimitsDialog account={dialog.account} onClose={close} /> : null}
      {dialog?.dialog === 'rename' ? <RenameDialog account={dialog.account} onClose={close} /> : null}
      {dialog?.dialog === 'close' ? <CloseDialog account={dialog.account} onClose={close} /> : null}
    </section>
  );
};
