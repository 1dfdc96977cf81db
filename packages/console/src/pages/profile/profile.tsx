// The user's own page: name, password, and where they are signed in.
import type { OwnSignIn } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { signOutAndLeave } from '../../api/request.ts';
import { DataTable, RowAction } from '../../components/data-table.tsx';
import { Field, NewPasswordField } from '../../components/field.tsx';
import { Form, textOf } from '../../components/form.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ErrorNotice, Show } from '../../components/states.tsx';
import { listTime } from '../../format.ts';
import { type Loaded, useLoad } from '../../hooks/use-load.ts';
import { useSession } from '../../session.ts';
import { browserName } from './browser-name.ts';

type OwnSession = OwnSignIn['sessions'][number];

const Name = () => {
  const { me, refresh } = useSession();
  return (
    <section class="card">
      <h2>Name</h2>
      <Form
        submit="Save name"
        saved="Saved"
        onSubmit={async (values) => {
          await api.renameMe(textOf(values, 'name'));
          refresh();
        }}
      >
        <Field
          label="Your name"
          name="name"
          autocomplete="name"
          required
          maxLength={200}
          value={me.person.name}
          hint="Members of your accounts see it."
        />
      </Form>
    </section>
  );
};

const Password = ({ onChange }: { onChange: () => void }) => (
  <section class="card">
    <h2>Password</h2>
    <Form
      submit="Change password"
      saved="Changed. Other devices were signed out."
      clears
      onSubmit={async (values) => {
        await api.changePassword(String(values.get('current')), String(values.get('next')));
        onChange();
      }}
    >
      <Field label="Current password" name="current" type="password" autocomplete="current-password" required />
      <NewPasswordField label="New password" name="next" />
    </Form>
  </section>
);

const NoPassword = () => (
  <section class="card">
    <h2>Password</h2>
    <p class="muted">You sign in with your organisation and have no password here.</p>
  </section>
);

const Sessions = ({ sessions, onChange }: { sessions: readonly OwnSession[]; onChange: () => void }) => {
  const [error, setError] = useState<Error | null>(null);
  const end = ({ id }: OwnSession) => {
    setError(null);
    api.endSession(id).then(onChange, setError);
  };
  return (
    <section>
      <div class="card-header">
        <h2>Where you are signed in</h2>
        <button type="button" onClick={() => signOutAndLeave(api.signOutEverywhere)}>
          Sign out everywhere
        </button>
      </div>
      {error ? <ErrorNotice error={error} /> : null}
      <DataTable
        rows={sessions}
        keyOf={({ id }) => id}
        testId="sessions"
        columns={[
          {
            title: 'Browser',
            class: 'name',
            isRowHeader: true,
            cell: ({ user_agent, is_current }) => (
              <>
                {browserName(user_agent)}
                {is_current ? <span class="secondary">this browser</span> : null}
              </>
            ),
          },
          { title: 'Address', cell: ({ address }) => address ?? 'unknown' },
          { title: 'Signed in', cell: ({ created_at }) => listTime(created_at) },
          { title: 'Ends', cell: ({ expires_at }) => listTime(expires_at) },
        ]}
        actions={(session) =>
          session.is_current ? null : (
            <RowAction text="Sign out" of={browserName(session.user_agent)} isDanger onClick={() => end(session)} />
          )
        }
      />
    </section>
  );
};

const SignIn = ({ loaded }: { loaded: Loaded<OwnSignIn> }) => (
  <Show of={loaded} what="your sessions">
    {({ has_password, sessions }) => (
      <>
        <div class="columns">
          <Name />
          {has_password ? <Password onChange={loaded.reload} /> : <NoPassword />}
        </div>
        <Sessions sessions={sessions} onChange={loaded.reload} />
      </>
    )}
  </Show>
);

export const ProfilePage = () => {
  const { me } = useSession();
  const loaded = useLoad(api.ownSignIn, []);
  return (
    <>
      <PageHeader title="Your profile" lead={me.person.email} />
      <SignIn loaded={loaded} />
    </>
  );
};
