// When the session has ended elsewhere: sign in over the page as it is, so that nothing typed is lost.
import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../../api/console.ts';
import { onSignedOut } from '../../api/request.ts';
import { HOME } from '../../base-path.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useSession } from '../../session.ts';
import { SignInForm } from './sign-in.tsx';

export const SignInAgain = () => {
  const { me } = useSession();
  const [asking, setAsking] = useState(false);
  const waiting = useRef<(() => void)[]>([]);
  useEffect(() => {
    onSignedOut(
      () =>
        new Promise((resolve) => {
          waiting.current.push(resolve);
          setAsking(true);
        }),
    );
    // Whoever comes back to a page that was left open learns at once, not when they save.
    const look = () => document.visibilityState === 'visible' && void api.me().catch(() => undefined);
    document.addEventListener('visibilitychange', look);
    return () => {
      onSignedOut(null);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  const goOn = async () => {
    const now = await api.me();
    // Someone else has signed in: what this page shows is not theirs.
    if (now.person.id !== me.person.id) return location.assign(`${HOME}/`);
    setAsking(false);
    for (const resolve of waiting.current.splice(0)) resolve();
  };
  if (!asking) return null;
  return (
    <Dialog title="You are signed out" onClose={() => undefined} dismissable={false}>
      <p>Your session has ended, here or on another device. Sign in to go on where you were.</p>
      <SignInForm onSignedIn={() => void goOn()} email={me.person.email} />
    </Dialog>
  );
};
