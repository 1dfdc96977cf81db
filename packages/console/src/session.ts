// Who is signed in, and which account is looked at. Shared by every page.
import type { Me, MemberRole } from '@faircopy/contract';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { HOME } from './base-path.ts';

export interface ChosenAccount {
  readonly id: string;
  readonly name: string;
  /** Null: an administrator looks into an account they do not belong to. */
  readonly role: MemberRole | null;
}

export interface Session {
  readonly me: Me;
  readonly account: ChosenAccount;
  readonly accountId: string;
  /** Owners and administrators. */
  readonly mayManage: boolean;
  /** Asks the server again who is signed in. */
  readonly refresh: () => void;
}

export const SessionContext = createContext<Session | null>(null);

export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (!session) throw new Error('no session here');
  return session;
};

/** The address of an account's page. */
export const accountPage = (accountId: string, page: string): string =>
  `${HOME}/accounts/${encodeURIComponent(accountId)}/${page}`;

const LAST_ACCOUNT = 'faircopy.account';

export const rememberAccount = (accountId: string): void => localStorage.setItem(LAST_ACCOUNT, accountId);

/** The account that was looked at last, or the first that the person came to. */
export const landingAccount = ({ accounts }: Me): Me['accounts'][number] | undefined => {
  const last = localStorage.getItem(LAST_ACCOUNT);
  return accounts.find(({ id }) => id === last) ?? [...accounts].sort((a, b) => a.since.localeCompare(b.since))[0];
};
