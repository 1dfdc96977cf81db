// Single sign-on in another tab after a session has ended, so that no unsaved work is lost.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { CLIENT, type OidcProvider, startOidcProvider } from '../../src/accounts/sign-in/testing/oidc-provider.ts';
import { browserAbsence } from './browser.ts';
import { type ConsoleSite, startConsoleSite, WRITTEN } from './console-site.ts';

const TYPED = WRITTEN.replace('fair copy', 'Faircopy');

suite('single sign-on in a browser', { skip: browserAbsence }, () => {
  let site: ConsoleSite;
  let page: Page;
  let provider: OidcProvider;
  let ended = (): void => {};

  before(async () => {
    provider = await startOidcProvider({
      after: (close) => {
        ended = close;
      },
    });
    site = await startConsoleSite({
      FAIRCOPY_OIDC_ISSUER: provider.issuer,
      FAIRCOPY_OIDC_CLIENT_ID: CLIENT.clientId,
      FAIRCOPY_OIDC_CLIENT_SECRET: CLIENT.clientSecret,
      FAIRCOPY_OIDC_NAME: 'Acme',
    });
    page = site.page;
    // Ada's e-mail address is verified.
    await site.app.storage.write.updateTable('people').set({ email_verified: 1 }).execute();
    provider.setPerson({ sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada' });
    // The user is signed in at the provider, which redirects back at once.
    await site.context.route(`${provider.issuer}/authorize**`, (route) => {
      const asked = new URL(route.request().url());
      const back = new URL(asked.searchParams.get('redirect_uri')!);
      back.searchParams.set('code', provider.authorize(asked));
      back.searchParams.set('state', asked.searchParams.get('state')!);
      return route.fulfill({ status: 302, headers: { location: back.href } });
    });
  });
  after(async () => {
    await site?.close();
    ended();
  });

  test('signing in again keeps the typed corrections and the recording', async () => {
    await site.open('playground');
    await page.getByLabel('Audio files').setInputFiles(site.clip);
    await page.getByTestId('transcript').waitFor();
    await page.getByRole('tab', { name: 'Correct', exact: true }).click();
    await page.getByLabel('Transcript text').fill(TYPED);
    await site.app.storage.write.deleteFrom('person_sessions').execute();
    // Simulates the user's return to the tab.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.getByText('Your session has ended').waitFor();
    const [otherTab] = await Promise.all([
      site.context.waitForEvent('page'),
      page.getByRole('button', { name: 'Sign in with Acme' }).click(),
    ]);
    await page.getByText('Your session has ended').waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Transcript text').inputValue(), TYPED);
    await page.getByRole('button', { name: 'Apply corrections' }).click();
    assert.equal(await page.getByTestId('transcript').innerText(), TYPED);
    await page.getByRole('button', { name: 'Play' }).waitFor();
    if (!otherTab.isClosed()) await otherTab.close();
    // The new session works.
    await site.open('keys');
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
  });

  test('no page threw an error or violated the content security policy', () => {
    assert.deepEqual(site.problems, []);
  });
});
