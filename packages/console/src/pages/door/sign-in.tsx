// The door: e-mail and password, or the organisation's own sign-in where it is set up.
import { useEffect, useState } from 'preact/hooks';
import { api } from '../../api/console.ts';
import { HOME } from '../../base-path.ts';
import { Field } from '../../parts/field.tsx';
import { Form, textOf } from '../../parts/form.tsx';
import { Failure } from '../../parts/states.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { signInBeside } from './sign-in-elsewhere.tsx';

/** What the server puts into the address when the organisation's sign-in led nowhere. */
const REFUSALS: Record<string, string> = {
  not_invited: 'You are known to your organisation, but nobody has invited you here under that e-mail address.',
  email_not_verified: 'Your organisation has not verified your e-mail address.',
  provider_refused: 'Signing in with your organisation did not work. Try again.',
};

const Forgotten = ({ sendsMail }: { sendsMail: boolean }) => {
  if (!sendsMail)
    return (
      <p class="quiet">
        Forgotten your password? An administrator of this server can make you a link to choose a new one.
      </p>
    );
  return (
    <details>
      <summary>Forgotten your password?</summary>
      <Form
        submit="Send me a link"
        saved="If someone signs in under that address, a letter is on its way."
        onSubmit={(values) => api.forgottenPassword(textOf(values, 'forgotten'))}
      >
        <Field label="Your e-mail" name="forgotten" type="email" autocomplete="username" required />
      </Form>
    </details>
  );
};

interface SignInFormProps {
  readonly onSignedIn: () => void;
  /** Who is expected to sign in again. */
  readonly email?: string;
  /** Whether something on the page would be lost by leaving it. */
  readonly stays?: boolean;
}

const leaveForOidc = (): Promise<void> => api.signInWithOidc().then(({ url }) => location.assign(url));

export const SignInForm = ({ onSignedIn, email, stays = false }: SignInFormProps) => {
  const [error, setError] = useState<Error | null>(null);
  const { load } = useLoad(api.signInOptions, []);
  const options = load.state === 'ready' ? load.data : { oidc: null, mail: false };
  const signIn = async (values: FormData) => {
    await api.signIn(textOf(values, 'email'), String(values.get('password')));
    onSignedIn();
  };
  return (
    <>
      <Form submit="Sign in" onSubmit={signIn}>
        <Field label="E-mail" name="email" type="email" autocomplete="username" required value={email ?? ''} />
        <Field label="Password" name="password" type="password" autocomplete="current-password" required />
      </Form>
      {options.oidc ? (
        <button type="button" onClick={() => (stays ? signInBeside() : leaveForOidc()).catch(setError)}>
          Sign in with {options.oidc}
        </button>
      ) : null}
      {error ? <Failure error={error} /> : null}
      <Forgotten sendsMail={options.mail} />
    </>
  );
};

export const SignInPage = ({ onSignedIn }: { onSignedIn: () => void }) => {
  const [refused] = useState(() => new URLSearchParams(location.search).get('error'));
  useEffect(() => {
    document.title = 'Sign in · Faircopy';
  }, []);
  return (
    <main class="door">
      <img src={`${HOME}/icon.svg`} alt="" width="44" height="44" />
      <h1>Sign in to Faircopy</h1>
      {refused ? (
        <div class="notice notice-bad" role="alert">
          <p>{REFUSALS[refused] ?? REFUSALS.provider_refused}</p>
        </div>
      ) : null}
      <SignInForm onSignedIn={onSignedIn} />
      <p class="quiet">No sign-in yet? Ask an administrator of this server for an invitation.</p>
    </main>
  );
};
