// The frame of the console: sign-in gate, navigation, pages.
import type { Me } from '@faircopy/contract';
import { useMemo, useState } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { api } from './api/console.ts';
import { ApiFailure } from './api/request.ts';
import { HOME } from './base-path.ts';
import { AccountPage } from './pages/account.tsx';
import { AdministrationPage } from './pages/administration.tsx';
import { JobsPage } from './pages/jobs.tsx';
import { KeysPage } from './pages/keys.tsx';
import { PlaygroundPage } from './pages/playground/playground.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { UsagePage } from './pages/usage/usage.tsx';
import { WelcomePage } from './pages/welcome.tsx';
import { Choice } from './parts/field.tsx';
import { Empty, Failure, Loading } from './parts/states.tsx';
import { useLoad } from './parts/use-load.ts';
import { SessionContext, useSession } from './session.ts';

const PAGES = [
  [`${HOME}/playground`, 'Playground'],
  [`${HOME}/keys`, 'Keys'],
  [`${HOME}/usage`, 'Usage'],
  [`${HOME}/jobs`, 'Jobs'],
  [`${HOME}/account`, 'Account'],
] as const;

const Navigation = () => {
  const { me, accountId, chooseAccount } = useSession();
  const { path } = useLocation();
  const pages = me.person.is_administrator ? [...PAGES, [`${HOME}/administration`, 'Administration'] as const] : PAGES;
  const signOut = () => api.signOut().finally(() => location.assign(`${HOME}/`));
  return (
    <nav class="side" aria-label="Console">
      <a class="brand" href={`${HOME}/`}>
        <img src={`${HOME}/icon.svg`} alt="" width="28" height="28" />
        Faircopy
      </a>
      {me.accounts.length > 1 ? (
        <Choice
          label="Account"
          value={accountId}
          onChange={chooseAccount}
          options={me.accounts.map((account) => [account.id, account.name] as const)}
        />
      ) : null}
      <ul>
        {pages.map(([href, text]) => (
          <li key={href}>
            <a href={href} {...(path.startsWith(href) ? { 'aria-current': 'page' as const } : {})}>
              {text}
            </a>
          </li>
        ))}
      </ul>
      <div class="who">
        <p title={me.person.email}>{me.person.name}</p>
        <button type="button" class="quiet-button" onClick={signOut}>
          Sign out
        </button>
      </div>
    </nav>
  );
};

const NotFound = () => (
  <Empty title="There is no such page">
    <a href={`${HOME}/`}>Back to the console</a>
  </Empty>
);

const SignedIn = ({ me, refresh }: { me: Me; refresh: () => void }) => {
  const [accountId, chooseAccount] = useState(me.accounts[0]?.id ?? '');
  const session = useMemo(() => ({ me, accountId, chooseAccount, refresh }), [me, accountId, refresh]);
  return (
    <SessionContext.Provider value={session}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class="frame">
        <Navigation />
        <main id="main" tabIndex={-1}>
          <ErrorBoundary>
            <Router>
              <Route path={HOME} component={PlaygroundPage} />
              <Route path={`${HOME}/playground`} component={PlaygroundPage} />
              <Route path={`${HOME}/keys`} component={KeysPage} />
              <Route path={`${HOME}/usage`} component={UsagePage} />
              <Route path={`${HOME}/jobs`} component={JobsPage} />
              <Route path={`${HOME}/account`} component={AccountPage} />
              <Route path={`${HOME}/administration`} component={AdministrationPage} />
              <Route default component={NotFound} />
            </Router>
          </ErrorBoundary>
        </main>
      </div>
    </SessionContext.Provider>
  );
};

const Gate = () => {
  const { load, reload } = useLoad(api.me, []);
  const { path } = useLocation();
  const token = path.startsWith(HOME) ? /^\/welcome\/([^/]+)$/.exec(path.slice(HOME.length))?.[1] : undefined;
  if (token) return <WelcomePage token={token} />;
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
