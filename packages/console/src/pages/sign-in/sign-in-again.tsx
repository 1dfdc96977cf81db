// Asks the user to sign in again, over the page, when the session has ended, so that nothing typed is lost.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { onSignedOut } from '../../api/request.ts';
import { Dialog } from '../../components/dialog.tsx';
import { CONSOLE_PATH } from '../../paths.ts';
import { useSession } from '../../session.ts';
import { useSignedInElsewhere } from './other-tab.tsx';
import { SignInForm } from './sign-in.tsx';

export const SignInAgain = () => {
  const { me } = useSession();
  const [isAsking, setAsking] = useState(false);
  const waiting = useRef<(() => void)[]>([]);
  const resume = useCallback(async () => {
    const now = await api.meNow().catch(() => null);
    if (now === null) return;
    // Another person has signed in and must not see this page.
    if (now.person.id !== me.person.id) return location.assign(`${CONSOLE_PATH}/`);
    setAsking(false);
    for (const resolve of waiting.current.splice(0)) resolve();
  }, [me.person.id]);
  const latestResume = useRef(resume);
  latestResume.current = resume;
  useEffect(() => {
    onSignedOut(
      () =>
        new Promise((resolve) => {
          waiting.current.push(resolve);
          setAsking(true);
        }),
    );
    // Checks when the user returns to the tab, before they try to save.
    const check = () => {
      if (document.visibilityState !== 'visible') return;
      // If the dialog is open, they may have signed in in another tab in the meantime.
      if (waiting.current.length > 0) void latestResume.current();
      else void api.me().catch(() => undefined);
    };
    document.addEventListener('visibilitychange', check);
    return () => {
      onSignedOut(null);
      document.removeEventListener('visibilitychange', check);
    };
  }, []);
  useSignedInElsewhere(useCallback(() => void (waiting.current.length > 0 && resume()), [resume]));
  if (!isAsking) return null;
  return (
    <Dialog title="You are signed out" onClose={() => undefined} dismissable={false}>
      <p>Your session has ended, here or on another device. Sign in to continue.</p>
      <SignInForm onSignedIn={() => void resume()} email={me.person.email} keepsPage />
    </Dialog>
  );
};
