// API keys: make one, see it once, know which are used, revoke.
import type { CreatedKey, KeyRecord } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api } from '../api/console.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Choice, Field } from '../parts/field.tsx';
import { Finder } from '../parts/finder.tsx';
import { Form, textOf } from '../parts/form.tsx';
import { ago, day } from '../parts/format.ts';
import { PageHead } from '../parts/page-head.tsx';
import { StackTable } from '../parts/stack-table.tsx';
import { Empty, Show } from '../parts/states.tsx';
import { useLoad } from '../parts/use-load.ts';
import { useSession } from '../session.ts';

const LIFETIMES = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

const expiryAfter = (days: string): string | null =>
  days === '' ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString();

const CreateDialog = (props: { accountId: string; onCreated: (key: CreatedKey) => void; onClose: () => void }) => {
  const [lifetime, setLifetime] = useState('');
  return (
    <Dialog title="New API key" onClose={props.onClose}>
      <Form
        submit="Create key"
        onCancel={props.onClose}
        onSubmit={async (values) =>
          props.onCreated(await api.createKey(props.accountId, textOf(values, 'name'), expiryAfter(lifetime)))
        }
      >
        <Field
          label="Name"
          name="name"
          required
          maxLength={200}
          placeholder="voicemail worker"
          hint="Where will this key be used?"
        />
        <Choice label="Expires" value={lifetime} onChange={setLifetime} options={LIFETIMES} />
      </Form>
    </Dialog>
  );
};

const ShownOnceDialog = ({ created, onClose }: { created: CreatedKey; onClose: () => void }) => (
  <Dialog title={`Key “\u2068${created.record.name}\u2069”`} onClose={onClose} dismissable={false}>
    <p>Copy this key now. It is stored only as a fingerprint and cannot be shown again.</p>
    <div class="secret">
      <code data-testid="new-key">{created.key}</code>
      <CopyButton text={created.key} label="Copy key" />
    </div>
    <div class="form-actions">
      <button type="button" class="primary" onClick={onClose}>
        I have kept it
      </button>
    </div>
  </Dialog>
);

const RevokeDialog = (props: { accountId: string; record: KeyRecord; onDone: () => void; onClose: () => void }) => (
  <Dialog title="Revoke this key?" onClose={props.onClose}>
    <p>
      <strong class="name">{props.record.name}</strong> (<code>{props.record.prefix}…</code>) stops working within a
      second, everywhere. This cannot be undone.
    </p>
    <Form
      submit="Revoke key"
      danger
      onCancel={props.onClose}
      onSubmit={async () => {
        await api.revokeKey(props.accountId, props.record.id);
        props.onDone();
      }}
    />
  </Dialog>
);

const stateOf = (record: KeyRecord): { text: string; tone: string } => {
  if (record.revoked_at) return { text: 'revoked', tone: 'tag-bad' };
  if (record.expires_at && new Date(record.expires_at) < new Date()) return { text: 'expired', tone: 'tag-bad' };
  return { text: 'active', tone: 'tag-good' };
};

const KeyTable = ({ records, onRevoke }: { records: readonly KeyRecord[]; onRevoke: (record: KeyRecord) => void }) => {
  const { mayManage } = useSession();
  return (
    <StackTable
      heads={['Name', 'Key', 'State', 'Created', 'Expires', { text: 'Last used', class: 'nowrap' }]}
      unseenHead="Actions"
    >
      {records.map((record) => {
        const state = stateOf(record);
        return (
          <tr key={record.id}>
            <th scope="row" class="name">
              <bdi>{record.name}</bdi>
            </th>
            <td data-label="Key">
              <code>{record.prefix}…</code>
            </td>
            <td data-label="State">
              <span class={`tag ${state.tone}`}>{state.text}</span>
            </td>
            <td data-label="Created">
              <span class="nowrap">{day(record.created_at)}</span>
              {record.created_by ? (
                <span class="below">
                  by <bdi>{record.is_own ? 'you' : record.created_by}</bdi>
                </span>
              ) : null}
            </td>
            <td data-label="Expires" class="nowrap">
              {record.expires_at ? day(record.expires_at) : 'never'}
            </td>
            <td data-label="Last used" class="nowrap">
              {record.last_used_at ? ago(record.last_used_at) : 'not yet'}
            </td>
            <td class="row-actions">
              {state.text === 'active' && (record.is_own || mayManage) ? (
                <button type="button" class="quiet-button danger-text" onClick={() => onRevoke(record)}>
                  Revoke<span class="unseen"> {record.name}</span>
                </button>
              ) : null}
            </td>
          </tr>
        );
      })}
    </StackTable>
  );
};

type Open =
  | { dialog: 'none' }
  | { dialog: 'create' }
  | { dialog: 'shown'; created: CreatedKey }
  | { dialog: 'revoke'; record: KeyRecord };

export const KeysPage = () => {
  const { accountId, account } = useSession();
  const keys = useLoad(() => api.keys(accountId), [accountId]);
  const [open, setOpen] = useState<Open>({ dialog: 'none' });
  const close = () => {
    setOpen({ dialog: 'none' });
    keys.reload();
  };
  return (
    <>
      <PageHead
        title="API keys"
        of={account.name}
        lead="A key lets a program use this account. It is shown once, when it is made. Members revoke their own keys, owners every key."
      >
        <button type="button" class="primary" onClick={() => setOpen({ dialog: 'create' })}>
          New key
        </button>
      </PageHead>
      <Show of={keys} what="keys">
        {(records) =>
          records.length === 0 ? (
            <Empty title="No keys yet">
              <p>Make one to call the API from your own program.</p>
              <button type="button" class="primary" onClick={() => setOpen({ dialog: 'create' })}>
                Make the first key
              </button>
            </Empty>
          ) : (
            <Finder what="a key" items={records} textOf={({ name, prefix }) => `${name} ${prefix}`}>
              {(found) => <KeyTable records={found} onRevoke={(record) => setOpen({ dialog: 'revoke', record })} />}
            </Finder>
          )
        }
      </Show>
      {open.dialog === 'create' ? (
        <CreateDialog
          accountId={accountId}
          onClose={close}
          onCreated={(created) => setOpen({ dialog: 'shown', created })}
        />
      ) : null}
      {open.dialog === 'shown' ? <ShownOnceDialog created={open.created} onClose={close} /> : null}
      {open.dialog === 'revoke' ? (
        <RevokeDialog accountId={accountId} record={open.record} onClose={close} onDone={close} />
      ) : null}
    </>
  );
};
