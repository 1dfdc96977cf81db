// The frame of the console: sign-in gate, the account in the address, navigation, pages.
import type { Me } from '@faircopy/contract';
import type { ComponentType } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { LocationProvider, useLocation } from 'preact-iso';
import { api } from './api/console.ts';
import { ApiFailure } from './api/request.ts';
import { HOME } from './base-path.ts';
import { Navigation } from './navigation.tsx';
import { AccountPage } from './pages/account/account.tsx';
import { VocabularyPage } from './pages/account/vocabulary.tsx';
import { AdministrationPage } from './pages/administration/administration.tsx';
import { ResetPage } from './pages/door/reset.tsx';
import { SignInPage } from './pages/door/sign-in.tsx';
import { SignInAgain } from './pages/door/sign-in-again.tsx';
import { SignedInPage } from './pages/door/sign-in-elsewhere.tsx';
import { WelcomePage } from './pages/door/welcome.tsx';
import { JobsPage } from './pages/jobs/jobs.tsx';
import { KeysPage } from './pages/keys.tsx';
import { PlaygroundPage } from './pages/playground/playground.tsx';
import { UsagePage } from './pages/usage/usage.tsx';
import { PageHead } from './parts/page-head.tsx';
import { Empty, Failure, Loading, Show } from './parts/states.tsx';
import { useLoad } from './parts/use-load.ts';
import { accountPage, type ChosenAccount, landingAccount, rememberAccount, SessionContext } from './session.ts';

const ACCOUNT_PAGES: Readonly<Record<string, ComponentType>> = {
  playground: PlaygroundPage,
  keys: KeysPage,
  usage: UsagePage,
  jobs: JobsPage,
  vocabulary: VocabularyPage,
  account: AccountPage,
};

const NotFound = () => (
  <>
    <PageHead title="There is no such page" lead="The address may be mistyped, or the page has moved." />
    <p>
      <a href={`${HOME}/`}>Back to the console</a>
    </p>
  </>
);

const NoAccount = ({ me }: { me: Me }) => (
  <>
    <PageHead title="No account" lead={`You are signed in as ${me.person.email}.`} />
    <Empty title="You belong to no account any more">
      <p>Ask one of its owners for an invitation. You keep your sign-in.</p>
    </Empty>
  </>
);

interface FrameProps {
  readonly me: Me;
  readonly account: ChosenAccount | null;
  readonly page: string;
  readonly refresh: () => void;
}

const Page = ({ me, account, page }: Omit<FrameProps, 'refresh'>) => {
  if (page === 'administration') return me.person.is_administrator ? <AdministrationPage /> : <NotFound />;
  const Chosen = ACCOUNT_PAGES[page];
  if (!Chosen) return <NotFound />;
  return account ? <Chosen key={account.id} /> : <NoAccount me={me} />;
};

const Frame = ({ me, account, page, refresh }: FrameProps) => {
  const session = useMemo(() => {
    const chosen = account ?? { id: '', name: '', role: null };
    const mayManage = me.person.is_administrator || chosen.role === 'owner';
    return { me, account: chosen, accountId: chosen.id, mayManage, refresh };
  }, [me, account, refresh]);
  useEffect(() => {
    if (account?.role) rememberAccount(account.id);
  }, [account]);
  return (
    <SessionContext.Provider value={session}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class="frame">
        <Navigation page={page} />
        <main id="main" tabIndex={-1}>
          {account && account.role === null && page !== 'administration' ? (
            <p class="notice notice-plain" role="note">
              You look into <bdi class="name">{account.name}</bdi> as an administrator of the server.
            </p>
          ) : null}
          <Page me={me} account={account} page={page} />
        </main>
      </div>
      <SignInAgain />
    </SessionContext.Provider>
  );
};

/** An account that the person does not belong to: administrators may look into it. */
const ForeignAccount = (props: { me: Me; accountId: string; page: string; refresh: () => void }) => {
  const detail = useLoad(() => api.account(props.accountId), [props.accountId]);
  return (
    <Show of={detail} what="the account">
      {({ id, name }) => <Frame {...props} account={{ id, name, role: null }} />}
    </Show>
  );
};

const SignedIn = ({ me, refresh }: { me: Me; refresh: () => void }) => {
  const { path, url, route } = useLocation();
  const below = path.slice(HOME.length).replace(/^\/|\/$/g, '');
  const [, accountId, accountPageName] = /^accounts\/([^/]+)\/([a-z]+)$/.exec(below) ?? [];
  const landing = landingAccount(me);
  const page = accountPageName ?? (below === '' ? 'playground' : below);
  // An address without an account is about the one that was looked at last.
  const isShort = accountId === undefined && page in ACCOUNT_PAGES && landing !== undefined;
  useEffect(() => {
    if (isShort) route(`${accountPage(landing.id, page)}${new URL(url, location.origin).search}`, true);
  }, [isShort, url]);
  if (isShort) return null;
  if (accountId === undefined) return <Frame me={me} account={landing ?? null} page={page} refresh={refresh} />;
  const own = me.accounts.find(({ id }) => id === decodeURIComponent(accountId));
  if (own) return <Frame me={me} account={own} page={page} refresh={refresh} />;
  if (!me.person.is_administrator) return <Frame me={me} account={landing ?? null} page="missing" refresh={refresh} />;
  return <ForeignAccount me={me} accountId={decodeURIComponent(accountId)} page={page} refresh={refresh} />;
};

/** Links of invitations and resets lead past the sign-in. */
const linkIn = (path: string): readonly [kind: string, token: string] | null => {
  const found = path.startsWith(HOME) ? /^\/(welcome|reset)\/([^/]+)$/.exec(path.slice(HOME.length)) : null;
  return found ? [found[1]!, found[2]!] : null;
};

const Gate = () => {
  const { load, reload } = useLoad(api.me, []);
  const { path } = useLocation();
  const link = linkIn(path);
  if (link?.[0] === 'welcome') return <WelcomePage token={link[1]} />;
  if (path === `${HOME}/signed-in`) return <SignedInPage />;
  if (link?.[0] === 'reset') return <ResetPage token={link[1]} />;
  if (load.state === 'loading') return <Loading what="the console" />;
  if (load.state === 'ready') return <SignedIn me={load.data} refresh={reload} />;
  if (load.error instanceof ApiFailure && load.error.status === 401) return <SignInPage onSignedIn={reload} />;
  return <Failure error={load.error} retry={reload} />;
};

export const App = () => (
  <LocationProvider scope={HOME}>
    <Gate />
  </LocationProvider>
);
