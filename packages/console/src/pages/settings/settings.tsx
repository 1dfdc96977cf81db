// The settings of the account: people, budgets, name and limits.
import { type AccountDetail, LIMITS } from '@faircopy/contract';
import { api } from '../../api/api.ts';
import { Facts } from '../../components/facts.tsx';
import { Field } from '../../components/field.tsx';
import { Form, textOf } from '../../components/form.tsx';
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
              {mayManage && detail.closed_at === null ? <Name account={detail} /> : null}
              <Limits account={detail} />
            </div>
          </>
        )}
      </Show>
    </>
  );
};
