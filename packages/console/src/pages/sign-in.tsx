// The door: e-mail and password, or the organisation's own sign-in where it is set up.
import { z } from 'zod';
import { api } from '../api/console.ts';
import { get } from '../api/request.ts';
import { HOME } from '../base-path.ts';
import { Field } from '../parts/field.tsx';
import { Form, textOf } from '../parts/form.tsx';
import { useLoad } from '../parts/use-load.ts';

const signInOptions = z.object({ oidc: z.string().nullable() });

/** What the server puts into the address when the organisation's sign-in led nowhere. */
const REFUSALS: Record<string, string> = {
  not_invited: 'You are known to your organisation, but nobody has invited you here under that e-mail address.',
  email_not_verified: 'Your organisation has not verified your e-mail address.',
  provider_refused: 'Signing in with your organisation did not work. Try again.',
};

export const SignInPage = ({ onSignedIn }: { onSignedIn: () => void }) => {
  const { load } = useLoad(() => get(signInOptions, '/sign-in-options'), []);
  const refused = new URLSearchParams(location.search).get('error');
  const oidcName = load.state === 'ready' ? load.data.oidc : null;
  const signIn = async (values: FormData) => {
    await api.signIn(textOf(values, 'email'), String(values.get('password')));
    onSignedIn();
  };
  return (
    <main class="door">
      <img src={`${HOME}/icon.svg`} alt="" width="44" height="44" />
      <h1>Sign in to Faircopy</h1>
      <Form submit="Sign in" onSubmit={signIn}>
        <Field label="E-mail" name="email" type="email" autocomplete="username" required />
        <Field label="Password" name="password" type="password" autocomplete="current-password" required />
      </Form>
      {refused ? (
        <div class="notice notice-bad" role="alert">
          <p>{REFUSALS[refused] ?? REFUSALS.provider_refused}</p>
        </div>
      ) : null}
      {oidcName ? (
        <button type="button" onClick={() => api.signInWithOidc().then(({ url }) => location.assign(url))}>
          Sign in with {oidcName}
        </button>
      ) : null}
      <p class="quiet">No account? Ask an administrator of this server for an invitation.</p>
    </main>
  );
};
