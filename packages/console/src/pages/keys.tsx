// API keys: create, list and revoke.
import type { CreatedKey, KeyRecord } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api } from '../api/api.ts';
import { DataTable, RowAction } from '../components/data-table.tsx';
import { Dialog, FormDialog, Secret, useDialog } from '../components/dialog.tsx';
import { Choice, Field } from '../components/field.tsx';
import { Form, textOf } from '../components/form.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { SearchableList } from '../components/searchable-list.tsx';
import { Empty, Show } from '../components/states.tsx';
import { Tag, type TagState } from '../components/tag.tsx';
import { ago, day } from '../format.ts';
import { useLoad } from '../hooks/use-load.ts';
import { useSession } from '../session.ts';
import { RulesDialog, rulesSummary } from './key-rules.tsx';

const LIFETIMES = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

const expiryAfter = (days: string): string | null =>
  days === '' ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString();

const CreateDialog = (props: { accountId: string; onCreated: (key: CreatedKey) => void; onClose: () => void }) => {
  const [lifetime, setLifetime] = useState<(typeof LIFETIMES)[number][0]>('');
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

const CreatedDialog = ({ created, onClose }: { created: CreatedKey; onClose: () => void }) => (
  // Isolates the direction of the name, which may be right-to-left.
  <Dialog title={`Key “\u2068${created.record.name}\u2069”`} onClose={onClose} dismissable={false}>
    <p>Copy this key now. It is stored only as a hash and cannot be shown again.</p>
    <Secret text={created.key} copyLabel="Copy key" done="I have saved it" testId="new-key" onDone={onClose} />
  </Dialog>
);

const RevokeDialog = (props: { accountId: string; record: KeyRecord; onClose: () => void }) => (
  <FormDialog
    title="Revoke this key?"
    submit="Revoke key"
    danger
    onClose={props.onClose}
    onSubmit={() => api.revokeKey(props.accountId, props.record.id)}
  >
    <p>
      <strong class="name">{props.record.name}</strong> (<code>{props.record.prefix}…</code>) stops working everywhere
      within a second. You cannot undo this.
    </p>
  </FormDialog>
);

const ACTIVE: TagState = ['active', 'good'];
const stateOf = (record: KeyRecord): TagState => {
  if (record.revoked_at) return ['revoked', 'bad'];
  return record.expires_at && new Date(record.expires_at) < new Date() ? ['expired', 'bad'] : ACTIVE;
};

interface KeyTableProps {
  readonly records: readonly KeyRecord[];
  readonly onLimit: (record: KeyRecord) => void;
  readonly onRevoke: (record: KeyRecord) => void;
}

const KeyTable = ({ records, onLimit, onRevoke }: KeyTableProps) => {
  const { mayManage } = useSession();
  return (
    <DataTable
      rows={records}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Name',
          class: 'name',
          isRowHeader: true,
          cell: ({ name, rules }) => (
            <>
              <bdi>{name}</bdi>
              {rulesSummary(rules) ? <span class="secondary">{rulesSummary(rules)}</span> : null}
            </>
          ),
        },
        { title: 'Key', cell: ({ prefix }) => <code>{prefix}…</code> },
        { title: 'State', cell: (record) => <Tag state={stateOf(record)} /> },
        {
          title: 'Created',
          cell: (record) => (
            <>
              <span class="nowrap">{day(record.created_at)}</span>
              {record.created_by ? (
                <span class="secondary">
                  by <bdi>{record.is_own ? 'you' : record.created_by}</bdi>
                </span>
              ) : null}
            </>
          ),
        },
        { title: 'Expires', class: 'nowrap', cell: ({ expires_at }) => (expires_at ? day(expires_at) : 'never') },
        {
          title: 'Last used',
          class: 'nowrap',
          cell: ({ last_used_at }) => (last_used_at ? ago(last_used_at) : 'not yet'),
        },
      ]}
      actions={(record) =>
        stateOf(record) === ACTIVE && (record.is_own || mayManage) ? (
          <>
            {mayManage ? <RowAction text="Limit" of={record.name} onClick={() => onLimit(record)} /> : null}
            <RowAction text="Revoke" of={record.name} isDanger onClick={() => onRevoke(record)} />
          </>
        ) : null
      }
    />
  );
};

export const KeysPage = () => {
  const { accountId, account } = useSession();
  const keys = useLoad(() => api.keys(accountId), [accountId]);
  const { dialog, openDialog } = useDialog(keys.reload);
  const create = () =>
    openDialog((close) => (
      <CreateDialog
        accountId={accountId}
        onClose={close}
        onCreated={(created) =>
          openDialog((closeCreated) => <CreatedDialog created={created} onClose={closeCreated} />)
        }
      />
    ));
  return (
    <>
      <PageHeader
        title="API keys"
        of={account.name}
        lead="A key lets a program use this account. It is shown once, when it is created. Members can revoke their own keys, owners all keys."
      >
        <button type="button" class="primary" onClick={create}>
          New key
        </button>
      </PageHeader>
      <Show of={keys} what="keys">
        {(records) =>
          records.length === 0 ? (
            <Empty title="No keys yet">
              <p>Create one to call the API from your own program.</p>
              <button type="button" class="primary" onClick={create}>
                Create the first key
              </button>
            </Empty>
          ) : (
            <SearchableList what="a key" items={records} textOf={({ name, prefix }) => `${name} ${prefix}`}>
              {(found) => (
                <KeyTable
                  records={found}
                  onLimit={(record) =>
                    openDialog((close) => <RulesDialog accountId={accountId} record={record} onClose={close} />)
                  }
                  onRevoke={(record) =>
                    openDialog((close) => <RevokeDialog accountId={accountId} record={record} onClose={close} />)
                  }
                />
              )}
            </SearchableList>
          )
        }
      </Show>
      {dialog}
    </>
  );
};
