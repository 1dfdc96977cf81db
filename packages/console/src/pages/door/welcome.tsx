// Where a first-run link or an invitation leads: with a new sign-in, with the one you have, or as you are signed in.
import type { Me, Welcome } from '@faircopy/contract';
import { useEffect, useState } from 'preact/hooks';
import { api } from '../../api/console.ts';
import { ApiFailure } from '../../api/request.ts';
import { HOME } from '../../base-path.ts';
import { Field } from '../../parts/field.tsx';
import { Form, textOf } from '../../parts/form.tsx';
import { Show } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { accountPage } from '../../session.ts';
import { ShowLink } from './show-link.tsx';
import { SignInForm } from './sign-in.tsx';

/** Nobody signed in is an answer too. */
const whoIsHere = (): Promise<Me | null> =>
  api.me().catch((error: unknown) => {
    if (error instanceof ApiFailure && error.status === 401) return null;
    throw error;
  });

const join = async (token: string): Promise<void> => {
  const { account_id: accountId } = await api.joinAccount(token);
  location.assign(accountPage(accountId, 'playground'));
};

const NewSignIn = ({ token, link, onKnown }: { token: string; link: Welcome; onKnown: (email: string) => void }) => {
  const accept = async (values: FormData) => {
    const email = textOf(values, 'email');
    try {
      await api.acceptWelcome(token, { name: textOf(values, 'name'), email, password: String(values.get('password')) });
    } catch (error) {
      if (!(error instanceof ApiFailure && error.code === 'CONFLICT')) throw error;
      onKnown(email);
      return;
    }
    location.assign(`${HOME}/`);
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
      <Field
        label="Password"
        name="password"
        type="password"
        autocomplete="new-password"
        minLength={10}
        maxLength={256}
        required
        hint="At least 10 characters."
      />
    </Form>
  );
};

const WAYS = [
  ['new', 'I am new here'],
  ['known', 'I have a sign-in'],
] as const;

const Stranger = ({ token, link, onSignedIn }: { token: string; link: Welcome; onSignedIn: () => void }) => {
  const [way, setWay] = useState<'new' | 'known'>('new');
  const [known, setKnown] = useState<string | null>(null);
  if (link.purpose === 'first_administrator')
    return <NewSignIn token={token} link={link} onKnown={(email) => setKnown(email)} />;
  return (
    <Tabs label="How to accept" tabs={WAYS} chosen={way} onChoose={setWay}>
      {way === 'new' ? (
        <NewSignIn
          token={token}
          link={link}
          onKnown={(email) => {
            setKnown(email);
            setWay('known');
          }}
        />
      ) : (
        <>
          {known ? (
            <p class="notice notice-plain" role="status">
              You have a sign-in here under {known} already. Sign in with its password to accept.
            </p>
          ) : null}
          <SignInForm onSignedIn={onSignedIn} email={known ?? link.email ?? ''} />
        </>
      )}
    </Tabs>
  );
};

const Known = ({ token, me, onLeft }: { token: string; me: Me; onLeft: () => void }) => (
  <>
    <p>
      You are signed in as <bdi class="name">{me.person.name}</bdi> (<bdi>{me.person.email}</bdi>).
    </p>
    <Form submit="Accept the invitation" onSubmit={() => join(token)} />
    <button type="button" class="quiet-button" onClick={() => api.signOut().finally(onLeft)}>
      I am someone else
    </button>
  </>
);

export const WelcomePage = ({ token }: { token: string }) => {
  const link = useLoad(() => api.welcome(token), [token]);
  const who = useLoad(whoIsHere, []);
  useEffect(() => {
    document.title = 'Welcome · Faircopy';
  }, []);
  return (
    <main class="door">
      <img src={`${HOME}/icon.svg`} alt="" width="44" height="44" />
      <h1>Welcome to Faircopy</h1>
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
            <Show of={who} what="who you are">
              {(me) =>
                me && welcome.purpose === 'invitation' ? (
                  <Known token={token} me={me} onLeft={who.reload} />
                ) : (
                  <Stranger token={token} link={welcome} onSignedIn={who.reload} />
                )
              }
            </Show>
          </>
        )}
      </ShowLink>
    </main>
  );
};
