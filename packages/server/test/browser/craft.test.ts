// What holds on every page: no axe violations, titles, focus, keyboard, phones, names that are no markup.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createAccount, renameAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys.ts';
import { createInvitation } from '../../src/accounts/people/invitations.ts';
import { setVocabulary } from '../../src/accounts/vocabulary.ts';
import { browserAbsence } from './browser.ts';
import { type ConsoleSite, startConsoleSite } from './console-site.ts';

const HOSTILE = '<img src=x onerror="alert(1)"> ‮evil‬ 🎙';

const PAGES = [
  ['playground', 'Playground'],
  ['keys', 'API keys'],
  ['usage', 'Usage'],
  ['usage?view=totals', 'Usage'],
  ['vocabulary', 'Vocabulary'],
  ['account', null],
  ['/administration', 'Administration'],
  ['/administration?part=people', 'Administration'],
  ['/administration?part=totals', 'Administration'],
  ['/administration?part=server', 'Administration'],
  ['/nothing-here', 'There is no such page'],
] as const;

suite('craft of the console in a browser', { skip: browserAbsence }, () => {
  let site: ConsoleSite;
  let page: Page;
  let axe: string;

  before(async () => {
    site = await startConsoleSite();
    page = site.page;
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const { storage } = site.app;
    await createKey(storage, { accountId: site.account.id, name: HOSTILE, createdBy: null });
    await createAccount(storage, 'second <i>');
    await setVocabulary(storage, site.account.id, [HOSTILE, 'Faircopy']);
    await createInvitation(storage, { accountId: site.account.id, role: 'member', email: 'someone@example.org' });
    await renameAccount(storage, site.account.id, { name: HOSTILE, before: 'default' });
  });
  after(() => site?.close());

  const addressOf = (path: string): string =>
    path.startsWith('/') ? `${site.url}/console${path}` : `${site.url}/console/accounts/${site.account.id}/${path}`;
  const arrive = async (path: string) => {
    await page.goto(addressOf(path));
    await page.getByRole('heading', { level: 1 }).waitFor();
    while ((await page.locator('.spinner').count()) > 0) await page.waitForTimeout(50);
  };
  const violations = async (): Promise<string[]> => {
    await page.evaluate(axe);
    return (await page.evaluate(
      `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`,
    )) as string[];
  };

  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const)
    test(`no axe violation and no sideways scrolling on any page, ${colorScheme}, ${width} px`, async () => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      for (const [path] of PAGES) {
        await arrive(path);
        assert.deepEqual(await violations(), [], path);
        const overflow = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        assert.ok(Number(overflow) <= 0, `${path} is wider than the screen`);
      }
    });

  test('a transcript with its changes has no axe violation', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await arrive('playground');
      await page.getByLabel('Audio files').setInputFiles(site.clip);
      await page.getByTestId('transcript').waitFor();
      assert.deepEqual(await violations(), [], colorScheme);
      await page.getByRole('tab', { name: 'Changes' }).click();
      await page.locator('button.change').first().click();
      assert.deepEqual(await violations(), [], colorScheme);
    }
  });

  test('the doors have none either', async () => {
    const door = await site.stranger();
    const { token } = await createInvitation(site.app.storage, {
      ...{ accountId: site.account.id, role: 'member', email: null },
    });
    for (const path of ['/', `/welcome/${token}`, '/reset/nothing']) {
      await door.goto(`${site.url}/console${path}`);
      await door.getByRole('heading', { level: 1 }).waitFor();
      await door.evaluate(axe);
      assert.deepEqual(
        await door.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))'),
        [],
        path,
      );
    }
    await door.context().close();
  });

  test('every page has a title of its own', async () => {
    for (const [path, title] of PAGES) {
      await arrive(path);
      if (title !== null) assert.match(await page.title(), new RegExp(`^${title}.*Faircopy$`), path);
    }
  });

  test('names with markup, marks and emoji are shown as text', async () => {
    await page.setViewportSize({ width: 1280, height: 844 });
    for (const path of ['keys', 'vocabulary', 'account', '/administration']) {
      await arrive(path);
      assert.ok((await page.locator('main').innerText()).includes('<img src=x onerror="alert(1)">'), path);
      assert.equal(await page.locator('main img').count(), 0);
    }
    assert.equal(await page.title(), 'Administration · Faircopy');
  });

  test('navigation moves the focus to the heading, and a skip link leads past it', async () => {
    await arrive('playground');
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'API keys');
    await arrive('keys');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent.trim()'), 'Skip to content');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'main');
  });

  test('arrow keys move between tabs', async () => {
    await arrive('playground');
    await page.getByRole('tab', { name: 'File' }).focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.getByRole('tab', { name: 'Record' }).getAttribute('aria-selected'), 'true');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Record');
    await page.keyboard.press('End');
    await page.getByRole('button', { name: 'Start speaking' }).waitFor();
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.getByRole('tab', { name: 'File' }).getAttribute('aria-selected'), 'true');
  });

  test('administration is within reach on a phone, and health is told as people read it', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await arrive('playground');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByRole('tab', { name: 'Server' }).click();
    await page.getByText('Ready, with nothing to do.').waitFor();
    await page.getByText('nothing waits').waitFor();
    assert.equal(await page.getByText(/^Process \d/).isVisible(), false);
  });

  test('sentences come before codes', async () => {
    await page.goto(`${site.url}/console/reset/nothing`);
    const told = await page.getByRole('alert').innerText();
    assert.match(told, /^This link does not work any more\. Ask for a new one\.\s+NOT_FOUND/);
  });

  test('no page threw an error or broke the content security policy', () => {
    assert.deepEqual(site.complaints, []);
  });
});
