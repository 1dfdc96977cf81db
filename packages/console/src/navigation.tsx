// The side bar: which account, which page, who. On a phone it is a bar with a menu.
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api } from './api/console.ts';
import { signOutAndLeave } from './api/request.ts';
import { HOME } from './base-path.ts';
import { Choice } from './parts/field.tsx';
import { accountPage, rememberAccount, useSession } from './session.ts';

const PAGES = [
  ['playground', 'Playground'],
  ['keys', 'Keys'],
  ['usage', 'Usage'],
  ['jobs', 'Jobs'],
  ['vocabulary', 'Vocabulary'],
  ['account', 'Account'],
] as const;

const AccountName = ({ page }: { page: string }) => {
  const { me, account } = useSession();
  const { route } = useLocation();
  const isOwn = me.accounts.some(({ id }) => id === account.id);
  const options = [...me.accounts.map(({ id, name }) => [id, name] as const)];
  if (!isOwn && account.id !== '') options.push([account.id, account.name]);
  if (options.length === 0) return null;
  const there = PAGES.some(([name]) => name === page) ? page : 'playground';
  const choose = (id: string) => {
    // Before the address changes: a tab that is closed or led elsewhere at once has chosen all the same.
    rememberAccount(id);
    route(accountPage(id, there));
  };
  if (options.length > 1) return <Choice label="Account" value={account.id} onChange={choose} options={options} />;
  return (
    <div class="account-name">
      <span class="quiet small">Account</span>
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
  const link = (href: string, text: string, isHere: boolean) => (
    <li key={href}>
      <a href={href} onClick={close} {...(isHere ? { 'aria-current': 'page' as const } : {})}>
        {text}
      </a>
    </li>
  );
  return (
    <nav class={open ? 'side side-open' : 'side'} aria-label="Console">
      <div class="side-head">
        <a class="brand" href={`${HOME}/`} onClick={close}>
          <img src={`${HOME}/icon.svg`} alt="" width="28" height="28" />
          Faircopy
        </a>
        <button type="button" class="menu-button" aria-expanded={open} onClick={() => setOpen(!open)}>
          Menu
        </button>
      </div>
      <div class="side-body">
        <AccountName page={page} />
        <ul>
          {account.id === ''
            ? null
            : PAGES.map(([name, text]) => link(accountPage(account.id, name), text, name === page))}
          {me.person.is_administrator
            ? link(`${HOME}/administration`, 'Administration', page === 'administration')
            : null}
        </ul>
        <div class="who">
          <p title={me.person.email}>
            <bdi>{me.person.name}</bdi>
          </p>
          <button type="button" class="quiet-button" onClick={() => signOutAndLeave(api.signOut)}>
            Sign out
          </button>
        </div>
      </div>
    </nav>
  );
};
