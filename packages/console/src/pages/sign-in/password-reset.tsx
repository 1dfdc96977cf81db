// The page of a reset link: sets a new password and signs in.
import { api } from '../../api/api.ts';
import { NewPasswordField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { useLoad } from '../../hooks/use-load.ts';
import { CONSOLE_PATH } from '../../paths.ts';
import { ShowLink, SignInLayout } from './layout.tsx';

export const PasswordResetPage = ({ token }: { token: string }) => {
  const link = useLoad(() => api.passwordReset(token), [token]);
  return (
    <SignInLayout title="New password" heading="Choose a new password">
      <ShowLink of={link}>
        {({ email }) => (
          <>
            <p>
              For <bdi>{email}</bdi>. This signs out all devices.
            </p>
            <Form
              submit="Set password"
              onSubmit={async (values) => {
                await api.resetPassword(token, String(values.get('password')));
                location.assign(`${CONSOLE_PATH}/`);
              }}
            >
              <input type="hidden" autocomplete="username" value={email} />
              <NewPasswordField label="New password" name="password" />
            </Form>
          </>
        )}
      </ShowLink>
    </SignInLayout>
  );
};
