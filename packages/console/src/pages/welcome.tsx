// Where a first-run link or an invitation leads: make yourself a person here, and be signed in.
import { api } from '../api/console.ts';
import { HOME } from '../base-path.ts';
import { Field } from '../parts/field.tsx';
import { Form, textOf } from '../parts/form.tsx';
import { Show } from '../parts/states.tsx';
import { useLoad } from '../parts/use-load.ts';

export const WelcomePage = ({ token }: { token: string }) => {
  const link = useLoad(() => api.welcome(token), [token]);
  const accept = async (values: FormData) => {
    await api.acceptWelcome(token, {
      name: textOf(values, 'name'),
      email: textOf(values, 'email'),
      password: String(values.get('password')),
    });
    location.assign(`${HOME}/`);
  };
  return (
    <main class="door">
      <img src={`${HOME}/icon.svg`} alt="" width="44" height="44" />
      <h1>Welcome to Faircopy</h1>
      <Show of={link} what="your link">
        {(welcome) => (
          <>
            <p>
              {welcome.purpose === 'first_administrator'
                ? 'This link makes you the first administrator of this server. It works once.'
                : `You are invited to the account ${welcome.account_name ?? ''}. This link works once.`}
            </p>
            <Form submit="Create my sign-in" onSubmit={accept}>
              <Field label="Your name" name="name" autocomplete="name" required maxLength={200} />
              <Field
                label="E-mail"
                name="email"
                type="email"
                autocomplete="username"
                required
                value={welcome.email ?? ''}
                readOnly={welcome.email !== null}
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
          </>
        )}
      </Show>
    </main>
  );
};
