// Who is signed in and which account is open, for every page.
import type { Me, MemberRole } from '@faircopy/contract';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { CONSOLE_PATH } from './paths.ts';

export interface OpenAccount {
  readonly id: string;
  readonly name: string;
  /** Null when an administrator views an account without being a member. */
  readonly role: MemberRole | null;
}

export interface Session {
  readonly me: Me;
  readonly account: OpenAccount;
  readonly accountId: string;
  /** True for owners and administrators. */
  readonly mayManage: boolean;
  /** Reloads who is signed in. */
  readonly refresh: () => void;
}

export const SessionContext = createContext<Session | null>(null);

export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession needs a SessionContext');
  return session;
};

export const accountUrl = (accountId: string, page: string): string =>
  `${CONSOLE_PATH}/accounts/${encodeURIComponent(accountId)}/${page}`;

const LAST_ACCOUNT = 'faircopy.account';

export const rememberAccount = (accountId: string): void => localStorage.setItem(LAST_ACCOUNT, accountId);

/** The account that was opened last, otherwise the first one that the user joined. */
export const defaultAccount = ({ accounts }: Me): Me['accounts'][number] | undefined => {
  const last = localStorage.getItem(LAST_ACCOUNT);
  return accounts.find(({ id }) => id === last) ?? [...accounts].sort((a, b) => a.since.localeCompare(b.since))[0];
};
