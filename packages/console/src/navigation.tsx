// The sidebar: account, pages and the signed-in user. On narrow screens, a bar with a menu.
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api } from './api/api.ts';
import { signOutAndLeave } from './api/request.ts';
import { Choice } from './components/field.tsx';
import { Icon, type IconName } from './components/icon.tsx';
import { CONSOLE_PATH, SERVICE_URL } from './paths.ts';
import { accountUrl, rememberAccount, useSession } from './session.ts';

const PAGES = [
  ['playground', 'Playground'],
  ['keys', 'Keys'],
  ['usage', 'Usage'],
  ['jobs', 'Jobs'],
  ['vocabulary', 'Vocabulary'],
  ['voices', 'Voices'],
  ['settings', 'Settings'],
] as const;

const AccountChoice = ({ page }: { page: string }) => {
  const { me, account } = useSession();
  const { route } = useLocation();
  const isOwn = me.accounts.some(({ id }) => id === account.id);
  const options = [...me.accounts.map(({ id, name }) => [id, name] as const)];
  if (!isOwn && account.id !== '') options.push([account.id, account.name]);
  if (options.length === 0) return null;
  const target = PAGES.some(([name]) => name === page) ? page : 'playground';
  const choose = (id: string) => {
    // Stored before the page opens, because the tab may be closed first.
    rememberAccount(id);
    route(accountUrl(id, target));
  };
  if (options.length > 1) return <Choice label="Account" value={account.id} onChange={choose} options={options} />;
  return (
    <div class="account-name">
      <span class="muted small">Account</span>
      <bdi class="name" data-testid="account-name">
        {account.name}
      </bdi>
    </div>
  );
};

export const Navigation = ({ page }: { page: string }) => {
  const { me, account } = useSession();
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const link = (href: string, icon: IconName, text: string, isHere: boolean) => (
    <li key={href}>
      <a href={href} onClick={close} aria-current={isHere ? 'page' : undefined}>
        <Icon name={icon} />
        {text}
      </a>
    </li>
  );
  return (
    <nav class={open ? 'sidebar sidebar-open' : 'sidebar'} aria-label="Console">
      <div class="sidebar-header">
        <a class="brand" href={`${CONSOLE_PATH}/`} onClick={close}>
          <img src={`${CONSOLE_PATH}/icon.svg`} alt="" width="28" height="28" />
          Faircopy
        </a>
        <button type="button" class="menu-button" aria-expanded={open} onClick={() => setOpen(!open)}>
          Menu
        </button>
      </div>
      <div class="sidebar-body">
        <AccountChoice page={page} />
        <ul>
          {account.id === ''
            ? null
            : PAGES.filter(([name]) => name !== 'voices' || me.server.known_voices).map(([name, text]) =>
                link(accountUrl(account.id, name), name, text, name === page),
              )}
          {me.person.is_administrator
            ? link(`${CONSOLE_PATH}/administration`, 'administration', 'Administration', page === 'administration')
            : null}
          <li>
            <a href={`${SERVICE_URL}/docs/`} target="_blank" rel="noreferrer" onClick={close}>
              <Icon name="documentation" />
              Documentation
              <span class="visually-hidden">(opens in a new tab)</span>
            </a>
          </li>
        </ul>
        <div class="signed-in-user">
          <a
            class="own-name"
            href={`${CONSOLE_PATH}/profile`}
            title={me.person.email}
            onClick={close}
            aria-current={page === 'profile' ? 'page' : undefined}
          >
            <Icon name="person" />
            <bdi>{me.person.name}</bdi>
            <span class="visually-hidden">(your profile)</span>
          </a>
          <button type="button" class="text-button" onClick={() => signOutAndLeave(api.signOut)}>
            Sign out
          </button>
        </div>
      </div>
    </nav>
  );
};
