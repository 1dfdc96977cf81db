// Signing in with the organisation in a tab beside this one, so that what stands here unsaved stays.
import { useEffect } from 'preact/hooks';
import { api } from '../../api/console.ts';
import { HOME } from '../../base-path.ts';

const SIGNED_IN = 'faircopy.signed-in';

/** Calls back whenever someone has signed in in another tab. */
export const useSignedInElsewhere = (then: () => void): void => {
  useEffect(() => {
    const channel = new BroadcastChannel(SIGNED_IN);
    channel.onmessage = then;
    return () => channel.close();
  }, [then]);
};

/** A browser that opens no tab for us is led away; otherwise the tab says when it is done. */
export const signInBeside = async (): Promise<void> => {
  // At once, while the browser still knows that a person asked for it.
  const tab = open('', '_blank');
  try {
    const { url } = await api.signInWithOidc(...(tab ? [`${HOME}/signed-in`] : []));
    if (tab) tab.location.assign(url);
    else location.assign(url);
  } catch (thrown) {
    tab?.close();
    throw thrown;
  }
};

/** Where that tab ends: it tells the others and closes, where the browser lets it. */
export const SignedInPage = () => {
  useEffect(() => {
    document.title = 'Signed in · Faircopy';
    const channel = new BroadcastChannel(SIGNED_IN);
    channel.postMessage(null);
    close();
    return () => channel.close();
  }, []);
  return (
    <main class="door">
      <h1>You are signed in</h1>
      <p>Close this tab and go on where you were.</p>
      <p>
        <a href={`${HOME}/`}>Or open the console here</a>
      </p>
    </main>
  );
};
