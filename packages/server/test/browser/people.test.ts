// People and accounts in the console, in a browser.
import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createInvitation } from '../../src/accounts/people/invitations.ts';
import { deferred } from '../../src/lib/time/deferred.ts';
import { browserAbsence } from './browser.ts';
import { type ConsoleSite, PASSWORD, startConsoleSite } from './console-site.ts';

suite('people and accounts in a browser', { skip: browserAbsence }, () => {
  let site: ConsoleSite;
  let bo: Page;

  before(async () => {
    site = await startConsoleSite();
    bo = await site.newSession();
  });
  after(() => site?.close());
  // All tests sign in from one address and would exhaust its attempts.
  beforeEach(() => site.app.storage.write.deleteFrom('sign_in_attempts').execute());

  const invitation = async (accountId = site.account.id, email: string | null = null) => {
    const { token } = await createInvitation(site.app.storage, { accountId, role: 'member', email });
    return `${site.url}/console/welcome/${token}`;
  };
  const inviteFromPage = async (email = '') => {
    await site.open('settings');
    await site.page.getByRole('button', { name: 'Invite', exact: true }).click();
    await site.page.getByLabel('E-mail').fill(email);
    await site.page.getByRole('button', { name: 'Create link' }).click();
    const link = await site.page.locator('dialog code').innerText();
    await site.page.getByRole('button', { name: 'Done' }).click();
    return link;
  };

  test('the sidebar names the account, its settings are a separate page, and old URLs redirect there', async () => {
    await site.open('account');
    await site.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    assert.equal(await site.page.getByTestId('account-name').innerText(), 'default');
    assert.match(site.page.url(), new RegExp(`/accounts/${site.account.id}/settings$`));
    assert.equal(await site.page.getByRole('link', { name: 'Account', exact: true }).count(), 0);
  });

  test('the sidebar leads to the documentation', async () => {
    await site.open('keys');
    const href = await site.page.getByRole('link', { name: 'Documentation' }).getAttribute('href');
    assert.equal(href, `${site.url}/docs/`);
    assert.equal((await site.page.request.get(href)).status(), 200);
  });

  test('an invitation creates a new sign-in', async () => {
    await bo.goto(await inviteFromPage());
    await bo.getByLabel('Your name').fill('Bo <b>🎙</b>');
    await bo.getByLabel('E-mail').fill('bo@example.org');
    await bo.getByLabel('Password').fill(PASSWORD);
    await bo.getByRole('button', { name: 'Create my sign-in' }).click();
    await bo.getByRole('heading', { name: 'Playground' }).waitFor();
    await site.open('settings');
    // Shown as text, not as markup.
    await site.page.getByRole('row', { name: 'Bo <b>🎙</b>' }).first().waitFor();
  });

  test('a removed member returns with a new invitation and their password', async () => {
    await site.page.getByRole('button', { name: 'Remove Bo' }).click();
    await site.page.getByText('keys they created here stop working').waitFor();
    await site.page.getByRole('button', { name: 'Remove', exact: true }).click();
    await site.page.getByRole('row', { name: 'bo@example.org' }).waitFor({ state: 'detached' });
    await bo.goto(`${site.url}/console/`);
    await bo.getByText('You are not a member of any account').waitFor();

    await bo.context().clearCookies();
    await bo.goto(await inviteFromPage('bo@example.org'));
    await bo.getByLabel('Your name').fill('Bo');
    await bo.getByLabel('Password').fill('some other password');
    await bo.getByRole('button', { name: 'Create my sign-in' }).click();
    await bo.getByText('If bo@example.org already has a sign-in here').waitFor();
    assert.equal(await bo.getByLabel('E-mail').first().inputValue(), 'bo@example.org');
    await bo.getByLabel('Password').fill(PASSWORD);
    await bo.getByRole('button', { name: 'Sign in', exact: true }).click();
    await bo.getByRole('button', { name: 'Accept the invitation' }).click();
    await bo.getByRole('heading', { name: 'Playground' }).waitFor();
  });

  test('a signed-in user accepts an invitation and switches between accounts', async () => {
    const { page, url } = site;
    await page.goto(`${url}/console/administration`);
    await page.getByRole('button', { name: 'New account' }).click();
    await page.getByLabel('Name').fill('second');
    await page.getByRole('button', { name: 'Create account' }).click();
    const opened = page.getByRole('link', { name: 'second', exact: true });
    await opened.waitFor();
    const accountId = /accounts\/([^/]+)\/usage/.exec((await opened.getAttribute('href')) ?? '')?.[1] ?? '';
    await bo.goto(await invitation(accountId));
    await bo.getByText('You are signed in as').waitFor();
    await bo.getByRole('button', { name: 'Accept the invitation' }).click();
    await bo.getByLabel('Account', { exact: true }).waitFor();
    assert.match(bo.url(), new RegExp(accountId));
    await bo.getByLabel('Account', { exact: true }).selectOption({ label: 'default' });
    await bo.waitForURL(new RegExp(site.account.id), { waitUntil: 'commit' });
    // A URL without an account opens the last one.
    await bo.goto(`${url}/console/keys`);
    await bo.getByRole('heading', { name: 'API keys' }).waitFor();
    assert.match(bo.url(), new RegExp(`accounts/${site.account.id}/keys$`));
  });

  test('a reset link of an administrator replaces a forgotten password', async () => {
    const { page, url } = site;
    await page.goto(`${url}/console/administration?part=people`);
    await page.getByRole('button', { name: 'Reset password of Bo' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByTestId('reset-link').innerText();
    const elsewhere = await site.newSession();
    await elsewhere.goto(link);
    await elsewhere.getByLabel('New password').fill('one that is new');
    await elsewhere.getByRole('button', { name: 'Set password' }).click();
    await elsewhere.getByRole('heading', { name: 'Playground' }).waitFor();
    await elsewhere.goto(link);
    await elsewhere.getByText('This link is no longer valid').waitFor();
    await elsewhere.context().close();
  });

  test('a user who was signed out elsewhere signs in over the page and saves what they typed', async () => {
    // Bo's other sessions ended with the new password.
    await bo.reload();
    await bo.getByLabel('E-mail').fill('bo@example.org');
    await bo.getByLabel('Password').fill('one that is new');
    await bo.getByRole('button', { name: 'Sign in', exact: true }).click();
    // The page that was open before.
    await bo.getByRole('heading', { name: 'API keys' }).waitFor();
    await site.open('vocabulary', bo);
    await bo.getByLabel('Terms, one per line').fill('Faircopy\nLovelace\n Faircopy ');
    await bo.getByText('2 of at most 500, one per line; 1 duplicate will be dropped.').waitFor();
    await site.app.storage.write.deleteFrom('person_sessions').execute();
    await bo.getByRole('button', { name: 'Save vocabulary' }).click();
    await bo.getByText('Your session has ended').waitFor();
    assert.equal(await bo.getByLabel('E-mail').first().inputValue(), 'bo@example.org');
    await bo.getByLabel('Password').fill('one that is new');
    await bo.getByRole('button', { name: 'Sign in', exact: true }).click();
    await bo.getByText('Saved', { exact: true }).waitFor();
    const terms = await site.app.storage.read.selectFrom('vocabulary_terms').select('term').execute();
    assert.deepEqual(
      terms.map(({ term }) => term),
      ['Faircopy', 'Lovelace'],
    );
  });

  test('two tabs edit the same vocabulary: the second gets an error and keeps its text', async () => {
    const { page } = site;
    await site.open('vocabulary');
    // Ada's session has ended too: she signs in on the page she opened.
    await page.getByLabel('E-mail').first().fill('ada@example.org');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Vocabulary' }).waitFor();
    const other = await site.context.newPage();
    await site.open('vocabulary', other);
    await other.getByLabel('Terms, one per line').fill('Faircopy\nLovelace\nHopper');
    await other.getByRole('button', { name: 'Save vocabulary' }).click();
    await other.getByText('Saved', { exact: true }).waitFor();
    await page.getByLabel('Terms, one per line').fill('Turing');
    await page.getByRole('button', { name: 'Save vocabulary' }).click();
    await page.getByText('Someone else has changed this meanwhile').waitFor();
    assert.equal(await page.getByLabel('Terms, one per line').inputValue(), 'Turing');
    await page.evaluate('sessionStorage.clear()');
    await other.close();
  });

  test('members can revoke only their own keys', async () => {
    await site.open('keys');
    await site.page.getByRole('button', { name: 'New key' }).click();
    await site.page.getByLabel('Name').fill('of Ada');
    await site.page.getByRole('button', { name: 'Create key' }).click();
    await site.page.getByRole('button', { name: 'I have saved it' }).click();
    await site.open('keys', bo);
    await bo.getByRole('row', { name: 'of Ada' }).waitFor();
    assert.equal(await bo.getByRole('button', { name: 'Revoke of Ada' }).count(), 0);
    await bo.getByRole('button', { name: 'New key' }).click();
    await bo.getByLabel('Name').fill('of Bo');
    await bo.getByRole('button', { name: 'Create key' }).click();
    await bo.getByRole('button', { name: 'I have saved it' }).click();
    await bo.getByRole('button', { name: 'Revoke of Bo' }).waitFor();
  });

  test('a second administrator is added; the last one cannot be removed', async () => {
    const { page, url } = site;
    await page.goto(`${url}/console/administration?part=people`);
    await page.getByRole('button', { name: 'Remove as administrator Ada' }).click();
    await page.getByRole('button', { name: 'Remove administrator', exact: true }).click();
    await page.getByText('This is the last administrator').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Make administrator Bo' }).click();
    await page.getByRole('button', { name: 'Make administrator', exact: true }).click();
    await page.getByRole('button', { name: 'Remove as administrator Bo' }).waitFor();
    await bo.goto(`${url}/console/administration`);
    await bo.getByRole('heading', { name: 'Administration' }).waitFor();
  });

  test('an account is renamed and closed; administrators can still see its usage', async () => {
    const { page, url } = site;
    await page.goto(`${url}/console/administration`);
    await page.getByRole('button', { name: 'Rename second' }).click();
    await page.getByLabel('New name').fill('Acme 🎙');
    await page.locator('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('button', { name: 'Close Acme 🎙' }).click();
    await page.getByRole('button', { name: 'Close the account' }).click();
    await page.getByText('closed', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Acme 🎙', exact: true }).click();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    await page.getByText('as a server administrator').waitFor();
  });

  test('on their profile page, people change their name, sign out elsewhere, and change their password', async () => {
    const { page } = site;
    const phone = await site.newSession();
    await phone.goto(`${site.url}/console/`);
    await phone.getByLabel('E-mail').fill('ada@example.org');
    await phone.getByLabel('Password').fill(PASSWORD);
    await phone.getByRole('button', { name: 'Sign in', exact: true }).click();
    await phone.getByRole('heading', { name: 'Playground' }).waitFor();
    await site.open('usage');
    await page.getByRole('link', { name: 'Ada (your profile)' }).click();
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByRole('link', { name: 'Ada Lovelace (your profile)' }).waitFor();
    const sessions = page.getByTestId('sessions').locator('tbody tr');
    await sessions.filter({ hasText: 'this browser' }).waitFor();
    const others = page.getByRole('button', { name: 'Sign out Chrome on Linux' });
    const before = await others.count();
    assert.ok(before >= 1);
    await others.first().click();
    await others.nth(before - 1).waitFor({ state: 'detached' });
    await phone.reload();
    await phone.getByRole('heading', { name: 'Sign in to Faircopy' }).waitFor();
    await phone.context().close();

    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password').fill('one that Ada made');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Changed. Other devices were signed out.').waitFor();
    assert.equal(await page.getByLabel('Current password').inputValue(), '');
    assert.equal(await page.getByLabel('New password').inputValue(), '');
  });

  test('text typed on the sign-in page stays when the sign-in options arrive', async () => {
    const phone = await site.newSession();
    const typed = deferred<void>();
    await phone.route('**/console/api/sign-in-options', async (route) => {
      await typed.promise;
      await route.continue();
    });
    await phone.goto(`${site.url}/console/`);
    await phone.getByLabel('E-mail').fill('ada@example.org');
    const arrived = phone.waitForResponse('**/console/api/sign-in-options');
    typed.resolve();
    await arrived;
    await phone.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    assert.equal(await phone.getByLabel('E-mail').inputValue(), 'ada@example.org');
    await phone.context().close();
  });

  test('signing out while a page loads opens the sign-in page without asking to sign in again', async () => {
    const { page } = site;
    const signedOut = deferred<void>();
    await page.route('**/console/api/accounts/**', async (route) => {
      await signedOut.promise;
      await route.continue();
    });
    // A 204 answer keeps the browser on the current page.
    const isHome = (url: URL) => url.pathname === '/console/';
    await page.route(isHome, (route) => route.fulfill({ status: 204 }));
    await site.open('usage');
    const leaving = page.waitForRequest((request) => isHome(new URL(request.url())));
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await leaving;
    const refused = page.waitForResponse((response) => response.status() === 401);
    signedOut.resolve();
    await refused;
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    assert.equal(await page.getByText('Your session has ended').count(), 0);
    await page.unrouteAll();
    await page.goto(`${site.url}/console/`);
    await page.getByRole('heading', { name: 'Sign in to Faircopy' }).waitFor();
  });

  test('no page threw an error or violated the content security policy', () => {
    assert.deepEqual(site.problems, []);
  });
});
