// When the session has ended elsewhere: sign in over the page as it is, so that nothing typed is lost.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../../api/console.ts';
import { onSignedOut } from '../../api/request.ts';
import { HOME } from '../../base-path.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useSession } from '../../session.ts';
import { SignInForm } from './sign-in.tsx';
import { useSignedInElsewhere } from './sign-in-elsewhere.tsx';

export const SignInAgain = () => {
  const { me } = useSession();
  const [asking, setAsking] = useState(false);
  const waiting = useRef<(() => void)[]>([]);
  const goOnNow = useRef<() => Promise<void>>(async () => {});
  useEffect(() => {
    onSignedOut(
      () =>
        new Promise((resolve) => {
          waiting.current.push(resolve);
          setAsking(true);
        }),
    );
    // Whoever comes back to a page that was left open learns at once, not when they save.
    const look = () => {
      if (document.visibilityState !== 'visible') return;
      // Already asked: they may have signed in meanwhile, in another tab.
      if (waiting.current.length > 0) void goOnNow.current();
      else void api.me().catch(() => undefined);
    };
    document.addEventListener('visibilitychange', look);
    return () => {
      onSignedOut(null);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  const goOn = useCallback(async () => {
    // Signing in beside this page may have led nowhere: then it is asked for still.
    const now = await api.meNow().catch(() => null);
    if (now === null) return;
    // Someone else has signed in: what this page shows is not theirs.
    if (now.person.id !== me.person.id) return location.assign(`${HOME}/`);
    setAsking(false);
    for (const resolve of waiting.current.splice(0)) resolve();
  }, [me.person.id]);
  goOnNow.current = goOn;
  useSignedInElsewhere(useCallback(() => void (waiting.current.length > 0 && goOn()), [goOn]));
  if (!asking) return null;
  return (
    <Dialog title="You are signed out" onClose={() => undefined} dismissable={false}>
      <p>Your session has ended, here or on another device. Sign in to go on where you were.</p>
      <SignInForm onSignedIn={() => void goOn()} email={me.person.email} stays />
    </Dialog>
  );
};
