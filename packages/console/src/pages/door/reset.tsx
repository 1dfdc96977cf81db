// Where a reset link leads: choose a new password, and be signed in with it.
import { useEffect } from 'preact/hooks';
import { api } from '../../api/console.ts';
import { HOME } from '../../base-path.ts';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { ShowLink } from './show-link.tsx';

export const ResetPage = ({ token }: { token: string }) => {
  const link = useLoad(() => api.passwordReset(token), [token]);
  useEffect(() => {
    document.title = 'A new password · Faircopy';
  }, []);
  return (
    <main class="door">
      <img src={`${HOME}/icon.svg`} alt="" width="44" height="44" />
      <h1>Choose a new password</h1>
      <ShowLink of={link}>
        {({ email }) => (
          <>
            <p>
              For <bdi>{email}</bdi>. Every device that is signed in is signed out.
            </p>
            <Form
              submit="Set the password"
              onSubmit={async (values) => {
                await api.resetPassword(token, String(values.get('password')));
                location.assign(`${HOME}/`);
              }}
            >
              <input type="hidden" autocomplete="username" value={email} />
              <Field
                label="New password"
                name="password"
                type="password"
                autocomplete="new-password"
                minLength={10}
                maxLength={256}
                required
                hint="At least 10 characters."
              />
            </Form>
          </>
        )}
      </ShowLink>
    </main>
  );
};
