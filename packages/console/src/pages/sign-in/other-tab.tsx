// Single sign-on in another tab, so that unsaved work in this tab is kept.
import { useEffect } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { CONSOLE_PATH } from '../../paths.ts';
import { SignInLayout } from './layout.tsx';

const SIGNED_IN = 'faircopy.signed-in';

/** Calls back whenever someone signs in in another tab. */
export const useSignedInElsewhere = (callback: () => void): void => {
  useEffect(() => {
    const channel = new BroadcastChannel(SIGNED_IN);
    channel.onmessage = callback;
    return () => channel.close();
  }, [callback]);
};

/** If the browser blocks the new tab, uses this one. */
export const signInInOtherTab = async (): Promise<void> => {
  // Must come before any await, while the browser still allows pop-ups for the click.
  const tab = open('', '_blank');
  try {
    const { url } = await api.signInWithOidc(...(tab ? [`${CONSOLE_PATH}/signed-in`] : []));
    (tab ?? window).location.assign(url);
  } catch (thrown) {
    tab?.close();
    throw thrown;
  }
};

/** The last page in the other tab: notifies the other tabs, then closes itself if the browser allows it. */
export const SignedInPage = () => {
  useEffect(() => {
    const channel = new BroadcastChannel(SIGNED_IN);
    channel.postMessage(null);
    close();
    return () => channel.close();
  }, []);
  return (
    <SignInLayout title="Signed in" heading="You are signed in">
      <p>Close this tab and continue where you left off.</p>
      <p>
        <a href={`${CONSOLE_PATH}/`}>Or open the console here</a>
      </p>
    </SignInLayout>
  );
};
