// The page of a first-run or invitation link: for new users, for existing ones, and for those already signed in.
import type { Me, Welcome } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { isUnauthorized } from '../../api/request.ts';
import { Field, NewPasswordField } from '../../components/field.tsx';
import { Form, textOf } from '../../components/form.tsx';
import { Show } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useLoad } from '../../hooks/use-load.ts';
import { CONSOLE_PATH } from '../../paths.ts';
import { accountUrl } from '../../session.ts';
import { ShowLink, SignInLayout } from './layout.tsx';
import { SignInForm } from './sign-in.tsx';

/** Null when nobody is signed in. */
const signedInUser = (): Promise<Me | null> =>
  api.me().catch((error: unknown) => {
    if (isUnauthorized(error)) return null;
    throw error;
  });

const join = async (token: string): Promise<void> => {
  const { account_id: accountId } = await api.joinAccount(token);
  location.assign(accountUrl(accountId, 'playground'));
};

interface NewUserProps {
  readonly token: string;
  readonly link: Welcome;
  /** Called when the address and password are refused: the address may already have a sign-in. */
  readonly onExisting?: (email: string) => void;
}

const NewUser = ({ token, link, onExisting }: NewUserProps) => {
  const accept = async (values: FormData) => {
    const email = textOf(values, 'email');
    try {
      await api.acceptWelcome(token, { name: textOf(values, 'name'), email, password: String(values.get('password')) });
    } catch (error) {
      if (!onExisting || !isUnauthorized(error)) throw error;
      onExisting(email);
      return;
    }
    location.assign(`${CONSOLE_PATH}/`);
  };
  return (
    <Form submit="Create my sign-in" onSubmit={accept}>
      <Field label="Your name" name="name" autocomplete="name" required maxLength={200} />
      <Field
        label="E-mail"
        name="email"
        type="email"
        autocomplete="username"
        required
        value={link.email ?? ''}
        readOnly={link.email !== null}
      />
      <NewPasswordField label="Password" name="password" />
    </Form>
  );
};

const TABS = [
  ['new', 'I am new here'],
  ['existing', 'I have a sign-in'],
] as const;

const SignedOutUser = ({ token, link, onSignedIn }: { token: string; link: Welcome; onSignedIn: () => void }) => {
  const [tab, setTab] = useState<'new' | 'existing'>('new');
  const [existing, setExisting] = useState<string | null>(null);
  if (link.purpose === 'first_administrator') return <NewUser token={token} link={link} />;
  const onExisting = (email: string) => {
    setExisting(email);
    setTab('existing');
  };
  return (
    <Tabs label="How to accept" tabs={TABS} chosen={tab} onChoose={setTab}>
      {tab === 'new' ? (
        <NewUser token={token} link={link} onExisting={onExisting} />
      ) : (
        <>
          {existing ? (
            <p class="notice notice-plain" role="status">
              If {existing} already has a sign-in here, enter its password to accept the invitation.
            </p>
          ) : null}
          <SignInForm onSignedIn={onSignedIn} email={existing ?? link.email ?? ''} />
        </>
      )}
    </Tabs>
  );
};

const SignedInUser = ({ token, me, onSignedOut }: { token: string; me: Me; onSignedOut: () => void }) => (
  <>
    <p>
      You are signed in as <bdi class="name">{me.person.name}</bdi> (<bdi>{me.person.email}</bdi>).
    </p>
    <Form submit="Accept the invitation" onSubmit={() => join(token)} />
    <button type="button" class="text-button" onClick={() => api.signOut().finally(onSignedOut)}>
      Sign in as someone else
    </button>
  </>
);

export const WelcomePage = ({ token }: { token: string }) => {
  const link = useLoad(() => api.welcome(token), [token]);
  const user = useLoad(signedInUser, []);
  return (
    <SignInLayout title="Welcome" heading="Welcome to Faircopy">
      <ShowLink of={link}>
        {(welcome) => (
          <>
            <p>
              {welcome.purpose === 'first_administrator' ? (
                'This link makes you the first administrator of this server. It works once.'
              ) : (
                <>
                  You are invited to the account{' '}
                  <strong class="name">
                    <bdi>{welcome.account_name ?? ''}</bdi>
                  </strong>
                  . This link works once.
                </>
              )}
            </p>
            <Show of={user} what="your sign-in">
              {(me) =>
                me && welcome.purpose === 'invitation' ? (
                  <SignedInUser token={token} me={me} onSignedOut={user.reload} />
                ) : (
                  <SignedOutUser token={token} link={welcome} onSignedIn={user.reload} />
                )
              }
            </Show>
          </>
        )}
      </ShowLink>
    </SignInLayout>
  );
};
