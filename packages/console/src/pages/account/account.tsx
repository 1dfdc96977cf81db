// The account: its name, its limits, its people, and the signed-in person's password.
import type { AccountDetail } from '@faircopy/contract';
import { api } from '../../api/console.ts';
import { signOutAndLeave } from '../../api/request.ts';
import { Field } from '../../parts/field.tsx';
import { Form, textOf } from '../../parts/form.tsx';
import { amount, count, day } from '../../parts/format.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Show } from '../../parts/states.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { useSession } from '../../session.ts';
import { Budgets } from './budgets.tsx';
import { People } from './people.tsx';

const NameAndLimits = ({ account }: { account: AccountDetail }) => {
  const { mayManage, refresh } = useSession();
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
      <dl class="pairs">
        <dt>Since</dt>
        <dd>{day(account.created_at)}</dd>
        {account.closed_at ? (
          <>
            <dt>Closed</dt>
            <dd>{day(account.closed_at)}</dd>
          </>
        ) : null}
        <dt>Longest file</dt>
        <dd>{amount(account.effective_limits.max_duration_seconds)}</dd>
        <dt>Open streams</dt>
        <dd>
          {count(account.open_streams)} of {count(account.effective_limits.max_streams)}
        </dd>
        <dt>Files at the same time</dt>
        <dd>{count(account.effective_limits.max_uploads)}</dd>
        <dt>Smallest bill</dt>
        <dd>15 s per request</dd>
      </dl>
      <p class="hint">An administrator of this server can raise these for an account.</p>
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
      <Field
        label="New password"
        name="next"
        type="password"
        autocomplete="new-password"
        minLength={10}
        maxLength={256}
        required
        hint="At least 10 characters."
      />
    </Form>
    <button type="button" class="quiet-button" onClick={() => signOutAndLeave(api.signOutEverywhere)}>
      Sign out everywhere
    </button>
  </section>
);

export const AccountPage = () => {
  const { accountId, account: chosen } = useSession();
  const account = useLoad(() => api.account(accountId), [accountId, chosen.name]);
  return (
    <>
      <PageHead
        title={chosen.name}
        of="Account"
        lead={chosen.role === 'owner' ? 'You are an owner of this account.' : 'Limits and people of this account.'}
      />
      <Show of={account} what="the account">
        {(detail) => (
          <>
            <People account={detail} changed={account.reload} />
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
