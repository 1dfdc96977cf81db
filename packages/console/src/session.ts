// Who is signed in, and which of their accounts is looked at. Shared by every page.
import type { Me } from '@faircopy/contract';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

export interface Session {
  readonly me: Me;
  readonly accountId: string;
  readonly chooseAccount: (accountId: string) => void;
  /** Asks the server again who is signed in. */
  readonly refresh: () => void;
}

export const SessionContext = createContext<Session | null>(null);

export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (!session) throw new Error('no session here');
  return session;
};
