// A forgotten password and an invitation by e-mail, as people meet them in a browser.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startMailServer, type TestMailServer } from '../../src/accounts/people/testing/smtp-server.ts';
import { browserAbsence } from './browser.ts';
import { type ConsoleSite, startConsoleSite } from './console-site.ts';

const linkIn = (text: string): string => /https?:\/\/\S+\/console\/\S+/.exec(text)?.[0] ?? '';

suite('letters of the console in a browser', { skip: browserAbsence }, () => {
  let mail: TestMailServer;
  let site: ConsoleSite;

  before(async () => {
    mail = await startMailServer();
    site = await startConsoleSite({ FAIRCOPY_SMTP_URL: mail.url, FAIRCOPY_SMTP_FROM: 'faircopy@example.org' });
  });
  after(async () => {
    await site?.close();
    await mail?.close();
  });

  test('whoever forgot their password asks for a letter, and strangers learn nothing', async () => {
    const door = await site.stranger();
    await door.goto(`${site.url}/console/`);
    await door.getByText('Forgotten your password?').click();
    for (const email of ['nobody@example.org', 'ada@example.org']) {
      await door.getByLabel('Your e-mail').fill(email);
      await door.getByRole('button', { name: 'Send me a link' }).click();
      await door.getByText('If someone signs in under that address, a letter is on its way.').waitFor();
    }
    const { to, text } = await mail.message(1);
    assert.deepEqual(to, ['ada@example.org']);
    await door.goto(linkIn(text));
    await door.getByLabel('New password').fill('one that came by mail');
    await door.getByRole('button', { name: 'Set the password' }).click();
    await door.getByRole('heading', { name: 'Playground' }).waitFor();
    await door.goto(`${site.url}/console/accounts/${site.account.id}/account`);
    await door.getByRole('button', { name: 'Invite', exact: true }).click();
    await door.getByLabel('E-mail').fill('bo@example.org');
    await door.getByRole('button', { name: 'Make the link' }).click();
    await door.getByText('The link was sent by e-mail').waitFor();
    assert.equal(linkIn((await mail.message(2)).text), await door.locator('dialog code').innerText());
    await door.context().close();
  });

  test('no page threw an error or broke the content security policy', () => {
    assert.deepEqual(site.complaints, []);
  });
});
