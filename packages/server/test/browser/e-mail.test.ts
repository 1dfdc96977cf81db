// Password resets and invitations by e-mail, in a browser.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startMailServer, type TestMailServer } from '../../src/accounts/people/testing/smtp-server.ts';
import { freePort } from '../../src/lib/net/testing/free-port.ts';
import { browserAbsence } from './browser.ts';
import { type ConsoleSite, startConsoleSite } from './console-site.ts';

const linkIn = (text: string): string => /https?:\/\/\S+\/console\/\S+/.exec(text)?.[0] ?? '';

suite('e-mails of the console in a browser', { skip: browserAbsence }, () => {
  let mail: TestMailServer;
  let site: ConsoleSite;

  before(async () => {
    mail = await startMailServer();
    const port = await freePort();
    site = await startConsoleSite({
      PORT: String(port),
      FAIRCOPY_PUBLIC_URL: `http://127.0.0.1:${port}`,
      FAIRCOPY_SMTP_URL: mail.url,
      FAIRCOPY_SMTP_FROM: 'faircopy@example.org',
    });
  });
  after(async () => {
    await site?.close();
    await mail?.close();
  });

  test('a user requests a reset link; the page does not reveal which addresses exist', async () => {
    const page = await site.newSession();
    await page.goto(`${site.url}/console/`);
    await page.getByText('Forgot your password?').click();
    for (const email of ['nobody@example.org', 'ada@example.org']) {
      await page.getByLabel('Your e-mail').fill(email);
      await page.getByRole('button', { name: 'Send me a link' }).click();
      await page.getByText('If this address can sign in here, a link has been sent to it.').waitFor();
    }
    const { to, text } = await mail.message(1);
    assert.deepEqual(to, ['ada@example.org']);
    await page.goto(linkIn(text));
    await page.getByLabel('New password').fill('one that came by mail');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('heading', { name: 'Playground' }).waitFor();
    await page.goto(`${site.url}/console/accounts/${site.account.id}/account`);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByLabel('E-mail').fill('bo@example.org');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('The link was sent by e-mail').waitFor();
    assert.equal(linkIn((await mail.message(2)).text), await page.locator('dialog code').innerText());
    await page.context().close();
  });

  test('no page threw an error or violated the content security policy', () => {
    assert.deepEqual(site.problems, []);
  });
});
