// Routing: the sign-in pages, and for signed-in users the layout with the page that the URL names.
import type { Me } from '@faircopy/contract';
import type { ComponentType } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { LocationProvider, useLocation } from 'preact-iso';
import { api } from './api/api.ts';
import { isUnauthorized } from './api/request.ts';
import { PageHeader } from './components/page-header.tsx';
import { Empty, ErrorNotice, Loading, Show } from './components/states.tsx';
import { useLoad } from './hooks/use-load.ts';
import { Navigation } from './navigation.tsx';
import { AdministrationPage } from './pages/administration/administration.tsx';
import { JobsPage } from './pages/jobs/jobs.tsx';
import { KeysPage } from './pages/keys.tsx';
import { PlaygroundPage } from './pages/playground/playground.tsx';
import { ProfilePage } from './pages/profile/profile.tsx';
import { SettingsPage } from './pages/settings/settings.tsx';
import { SignedInPage } from './pages/sign-in/other-tab.tsx';
import { PasswordResetPage } from './pages/sign-in/password-reset.tsx';
import { SignInPage } from './pages/sign-in/sign-in.tsx';
import { SignInAgain } from './pages/sign-in/sign-in-again.tsx';
import { WelcomePage } from './pages/sign-in/welcome.tsx';
import { UsagePage } from './pages/usage/usage.tsx';
import { VocabularyPage } from './pages/vocabulary/vocabulary.tsx';
import { VoicesPage } from './pages/voices/voices.tsx';
import { CONSOLE_PATH } from './paths.ts';
import { accountUrl, defaultAccount, type OpenAccount, rememberAccount, SessionContext } from './session.ts';

const ACCOUNT_PAGES: Readonly<Record<string, ComponentType>> = {
  playground: PlaygroundPage,
  keys: KeysPage,
  usage: UsagePage,
  jobs: JobsPage,
  vocabulary: VocabularyPage,
  voices: VoicesPage,
  settings: SettingsPage,
};

/** Page names in URLs of earlier releases, with their new names. */
const MOVED: Readonly<Record<string, string>> = { account: 'settings' };

const NotFound = () => (
  <>
    <PageHeader title="Page not found" lead="The address may be mistyped, or the page has moved." />
    <p>
      <a href={`${CONSOLE_PATH}/`}>Back to the console</a>
    </p>
  </>
);

const NoAccount = ({ me }: { me: Me }) => (
  <>
    <PageHeader title="No account" lead={`You are signed in as ${me.person.email}.`} />
    <Empty title="You are not a member of any account">
      <p>Ask the owner of an account for an invitation. You can keep your sign-in.</p>
    </Empty>
  </>
);

interface LayoutProps {
  readonly me: Me;
  readonly account: OpenAccount | null;
  readonly page: string;
  readonly refresh: () => void;
}

const Page = ({ me, account, page }: Omit<LayoutProps, 'refresh'>) => {
  if (page === 'administration') return me.person.is_administrator ? <AdministrationPage /> : <NotFound />;
  if (page === 'profile') return <ProfilePage />;
  const AccountPageOfUrl = ACCOUNT_PAGES[page];
  if (!AccountPageOfUrl) return <NotFound />;
  return account ? <AccountPageOfUrl key={account.id} /> : <NoAccount me={me} />;
};

const Layout = ({ me, account, page, refresh }: LayoutProps) => {
  const session = useMemo(() => {
    const open = account ?? { id: '', name: '', role: null };
    const mayManage = me.person.is_administrator || open.role === 'owner';
    return { me, account: open, accountId: open.id, mayManage, refresh };
  }, [me, account, refresh]);
  useEffect(() => {
    if (account?.role) rememberAccount(account.id);
  }, [account]);
  return (
    <SessionContext.Provider value={session}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class="layout">
        <Navigation page={page} />
        <main id="main" tabIndex={-1}>
          {account && account.role === null && page in ACCOUNT_PAGES ? (
            <p class="notice notice-plain" role="note">
              You are viewing <bdi class="name">{account.name}</bdi> as a server administrator.
            </p>
          ) : null}
          <Page me={me} account={account} page={page} />
        </main>
      </div>
      <SignInAgain />
    </SessionContext.Provider>
  );
};

/** An account that an administrator views without being a member. */
const OtherAccount = (props: { me: Me; accountId: string; page: string; refresh: () => void }) => {
  const detail = useLoad(() => api.account(props.accountId), [props.accountId]);
  return (
    <Show of={detail} what="the account">
      {({ id, name }) => <Layout {...props} account={{ id, name, role: null }} />}
    </Show>
  );
};

const SignedIn = ({ me, refresh }: { me: Me; refresh: () => void }) => {
  const { path, url, route } = useLocation();
  const below = path.slice(CONSOLE_PATH.length).replace(/^\/|\/$/g, '');
  const [, accountId, accountPage] = /^accounts\/([^/]+)\/([a-z]+)$/.exec(below) ?? [];
  const preferred = defaultAccount(me);
  const named = accountPage ?? (below === '' ? 'playground' : below);
  const page = MOVED[named] ?? named;
  const target = accountId === undefined ? preferred?.id : decodeURIComponent(accountId);
  // A URL without an account redirects to the default account.
  const redirects = page in ACCOUNT_PAGES && target !== undefined && (accountId === undefined || page !== named);
  useEffect(() => {
    if (redirects) route(`${accountUrl(target, page)}${new URL(url, location.origin).search}`, true);
  }, [redirects, url]);
  if (redirects) return null;
  if (accountId === undefined) return <Layout me={me} account={preferred ?? null} page={page} refresh={refresh} />;
  const own = me.accounts.find(({ id }) => id === decodeURIComponent(accountId));
  if (own) return <Layout me={me} account={own} page={page} refresh={refresh} />;
  if (!me.person.is_administrator)
    return <Layout me={me} account={preferred ?? null} page="missing" refresh={refresh} />;
  return <OtherAccount me={me} accountId={decodeURIComponent(accountId)} page={page} refresh={refresh} />;
};

/** The kind and token of an invitation or reset link. These pages need no sign-in. */
const linkIn = (path: string): readonly [kind: string, token: string] | null => {
  const found = path.startsWith(CONSOLE_PATH)
    ? /^\/(welcome|reset)\/([^/]+)$/.exec(path.slice(CONSOLE_PATH.length))
    : null;
  return found ? [found[1]!, found[2]!] : null;
};

const Root = () => {
  const { load, reload } = useLoad(api.me, []);
  const { path } = useLocation();
  const link = linkIn(path);
  if (link?.[0] === 'welcome') return <WelcomePage token={link[1]} />;
  if (path === `${CONSOLE_PATH}/signed-in`) return <SignedInPage />;
  if (link?.[0] === 'reset') return <PasswordResetPage token={link[1]} />;
  if (load.state === 'loading') return <Loading what="the console" />;
  if (load.state === 'ready') return <SignedIn me={load.data} refresh={reload} />;
  if (isUnauthorized(load.error)) return <SignInPage onSignedIn={reload} />;
  return <ErrorNotice error={load.error} retry={reload} />;
};

export const App = () => (
  <LocationProvider scope={CONSOLE_PATH}>
    <Root />
  </LocationProvider>
);
