// Sign-in with e-mail and password, or with single sign-on if it is configured.
import { useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { Field } from '../../components/field.tsx';
import { Form, textOf } from '../../components/form.tsx';
import { ErrorNotice } from '../../components/states.tsx';
import { useLoad } from '../../hooks/use-load.ts';
import { SignInLayout } from './layout.tsx';
import { signInInOtherTab } from './other-tab.tsx';

/** Messages by the `error` that the server adds to the URL when single sign-on fails. */
const SSO_ERRORS: Record<string, string> = {
  not_invited: 'You have not been invited to this server with the e-mail address of your organisation.',
  email_not_verified: 'Your organisation has not verified your e-mail address.',
  provider_refused: 'Signing in with your organisation did not work. Try again.',
};

const ForgottenPassword = ({ sendsMail }: { sendsMail: boolean }) => {
  if (!sendsMail)
    return <p class="muted">Forgot your password? A server administrator can create a reset link for you.</p>;
  return (
    <details>
      <summary>Forgot your password?</summary>
      <Form
        submit="Send me a link"
        saved="If this address can sign in here, a link has been sent to it."
        onSubmit={(values) => api.forgottenPassword(textOf(values, 'forgotten'))}
      >
        <Field label="Your e-mail" name="forgotten" type="email" autocomplete="username" required />
      </Form>
    </details>
  );
};

interface SignInFormProps {
  readonly onSignedIn: () => void;
  readonly email?: string;
  /** Whether the page has unsaved work, so that single sign-on must use another tab. */
  readonly keepsPage?: boolean;
}

const leaveForOidc = (): Promise<void> => api.signInWithOidc().then(({ url }) => location.assign(url));

export const SignInForm = ({ onSignedIn, email, keepsPage = false }: SignInFormProps) => {
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
        <button type="button" onClick={() => (keepsPage ? signInInOtherTab() : leaveForOidc()).catch(setError)}>
          Sign in with {options.oidc}
        </button>
      ) : null}
      {error ? <ErrorNotice error={error} /> : null}
      <ForgottenPassword sendsMail={options.mail} />
    </>
  );
};

export const SignInPage = ({ onSignedIn }: { onSignedIn: () => void }) => {
  const [ssoError] = useState(() => new URLSearchParams(location.search).get('error'));
  return (
    <SignInLayout title="Sign in" heading="Sign in to Faircopy">
      {ssoError ? (
        <div class="notice notice-bad" role="alert">
          <p>{SSO_ERRORS[ssoError] ?? SSO_ERRORS.provider_refused}</p>
        </div>
      ) : null}
      <SignInForm onSignedIn={onSignedIn} />
      <p class="muted">
        No sign-in yet? Ask a server administrator for an invitation. A new server prints a link for its first
        administrator when it starts.
      </p>
    </SignInLayout>
  );
};
