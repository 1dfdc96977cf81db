// The settings of the account: people, budgets, name and limits.
import { type AccountDetail, LIMITS } from '@faircopy/contract';
import { api } from '../../api/api.ts';
import { Facts } from '../../components/facts.tsx';
import { Field } from '../../components/field.tsx';
import { Form, listOf, textOf } from '../../components/form.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Show } from '../../components/states.tsx';
import { amount, count, day } from '../../format.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { useSession } from '../../session.ts';
import { Budgets } from './budgets.tsx';
import { People } from './people.tsx';

const Name = ({ account }: { account: AccountDetail }) => {
  const { refresh } = useSession();
  return (
    <section class="card">
      <h2>Name</h2>
      <Form
        submit="Rename"
        saved="Saved"
        onSubmit={async (values) => {
          await api.rename(account.id, textOf(values, 'name'), account.name);
          refresh();
        }}
      >
        <Field label="Name of the account" name="name" required maxLength={200} value={account.name} />
      </Form>
    </section>
  );
};

const Languages = ({ account, onChange }: { account: AccountDetail; onChange: () => void }) => (
  <section class="card">
    <h2>Languages</h2>
    <Form
      submit="Save"
      saved="Saved"
      onSubmit={async (values) => {
        await api.setLanguages(account.id, listOf(values, 'languages'));
        onChange();
      }}
    >
      <Field
        label="Languages that may be spoken"
        name="languages"
        value={account.languages.join(', ')}
        placeholder="any"
        hint="For example de, en. Detection chooses among them in every request of the account."
      />
    </Form>
  </section>
);

const Limits = ({ account }: { account: AccountDetail }) => {
  const { max_duration_seconds, max_streams, max_uploads } = account.effective_limits;
  return (
    <section class="card">
      <h2>Limits</h2>
      <Facts
        facts={[
          ['Created', day(account.created_at)],
          account.closed_at ? ['Closed', day(account.closed_at)] : null,
          ['Longest file', amount(max_duration_seconds)],
          ['Open streams', `${count(account.open_streams)} of ${count(max_streams)}`],
          ['Concurrent files', count(max_uploads)],
          account.languages.length > 0 ? ['Languages', account.languages.join(', ')] : null,
          account.redact.length > 0 ? ['Always hidden', account.redact.join(', ')] : null,
          ['Billing minimum', `${LIMITS.billedSecondsMin} s per request`],
        ]}
      />
      <p class="hint">A server administrator can raise these limits.</p>
    </section>
  );
};

export const SettingsPage = () => {
  const { accountId, account: open, mayManage } = useSession();
  const account = useLoad(() => api.account(accountId), [accountId, open.name]);
  return (
    <>
      <PageHeader
        title="Settings"
        of={open.name}
        lead={
          <>
            People, budgets and limits of <bdi class="name">{open.name}</bdi>.
          </>
        }
      />
      <Show of={account} what="the account">
        {(detail) => (
          <>
            <People account={detail} onChange={account.reload} />
            <Budgets />
            <div class="columns">
              {mayManage && detail.closed_at === null ? (
                <>
                  <Name account={detail} />
                  <Languages account={detail} onChange={account.reload} />
                </>
              ) : null}
              <Limits account={detail} />
            </div>
          </>
        )}
      </Show>
    </>
  );
};
