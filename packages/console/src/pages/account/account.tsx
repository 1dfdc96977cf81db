// The account page: people, budgets, name and limits, and the user's password.
import { type AccountDetail, LIMITS } from '@faircopy/contract';
import { api } from '../../api/api.ts';
import { signOutAndLeave } from '../../api/request.ts';
import { Facts } from '../../components/facts.tsx';
import { Field, NewPasswordField } from '../../components/field.tsx';
import { Form, textOf } from '../../components/form.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Show } from '../../components/states.tsx';
import { amount, count, day } from '../../format.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { useSession } from '../../session.ts';
import { Budgets } from './budgets.tsx';
import { People } from './people.tsx';

const NameAndLimits = ({ account }: { account: AccountDetail }) => {
  const { mayManage, refresh } = useSession();
  const { max_duration_seconds, max_streams, max_uploads } = account.effective_limits;
  return (
    <section class="card">
      <h2>Name and limits</h2>
      {mayManage && account.closed_at === null ? (
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
      ) : null}
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

const Password = () => (
  <section class="card">
    <h2>Your sign-in</h2>
    <Form
      submit="Change password"
      saved="Changed. Other devices were signed out."
      clears
      onSubmit={(values) => api.changePassword(String(values.get('current')), String(values.get('next')))}
    >
      <Field label="Current password" name="current" type="password" autocomplete="current-password" required />
      <NewPasswordField label="New password" name="next" />
    </Form>
    <button type="button" class="text-button" onClick={() => signOutAndLeave(api.signOutEverywhere)}>
      Sign out everywhere
    </button>
  </section>
);

export const AccountPage = () => {
  const { accountId, account: open } = useSession();
  const account = useLoad(() => api.account(accountId), [accountId, open.name]);
  return (
    <>
      <PageHeader
        title={open.name}
        of="Account"
        lead={open.role === 'owner' ? 'You are an owner of this account.' : 'Limits and people of this account.'}
      />
      <Show of={account} what="the account">
        {(detail) => (
          <>
            <People account={detail} onChange={account.reload} />
            <Budgets />
            <div class="columns">
              <NameAndLimits account={detail} />
              <Password />
            </div>
          </>
        )}
      </Show>
    </>
  );
};
