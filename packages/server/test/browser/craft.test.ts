// What holds on every page: no axe violations, titles, focus, keyboard, phones, names that are no markup.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createInvitation } from '../../src/accounts/people/invitations.ts';
import { axeViolations } from './axe.ts';
import { browserAbsence } from './browser.ts';
import { type ConsoleSite, startConsoleSite } from './console-site.ts';
import { fillWithMuch } from './much-data.ts';

const PAGES = [
  ['playground', 'Playground'],
  ['keys', 'API keys'],
  ['usage', 'Usage'],
  ['usage?view=totals', 'Usage'],
  ['jobs', 'Jobs'],
  ['vocabulary', 'Vocabulary'],
  ['account', null],
  ['/administration', 'Administration'],
  ['/administration?part=people', 'Administration'],
  ['/administration?part=totals', 'Administration'],
  ['/administration?part=server', 'Administration'],
  ['/nothing-here', 'There is no such page'],
] as const;

const WIDTHS = [390, 768, 1024, 1240, 1280, 1920] as const;
const AXE_WIDTHS: ReadonlySet<number> = new Set([390, 1280]);

suite('craft of the console in a browser', { skip: browserAbsence }, () => {
  let site: ConsoleSite;
  let page: Page;

  before(async () => {
    site = await startConsoleSite();
    page = site.page;
    await fillWithMuch(site.app.storage, site.account);
  });
  after(() => site?.close());

  const addressOf = (path: string): string =>
    path.startsWith('/') ? `${site.url}/console${path}` : `${site.url}/console/accounts/${site.account.id}/${path}`;
  const arrive = async (path: string) => {
    await page.goto(addressOf(path));
    await page.getByRole('heading', { level: 1 }).waitFor();
    while ((await page.locator('.spinner').count()) > 0) await page.waitForTimeout(50);
  };
  const violations = () => axeViolations(page);

  const assertFits = async (place: string) => {
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    assert.ok(Number(overflow) <= 0, `${place}: wider than the screen`);
    const cut = await page
      // The chart's own table scrolls by design, and can be reached by keyboard.
      .locator('.table-frame:not(.table-tall), .tabs')
      .evaluateAll((boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).length);
    assert.equal(cut, 0, `${place}: a table or tabs are cut`);
  };

  for (const [path] of PAGES)
    test(`${path} with much on it: nothing is wider than its place, no axe violation`, async () => {
      await page.setViewportSize({ width: WIDTHS[0], height: 844 });
      await arrive(path);
      for (const width of WIDTHS) {
        const place = `${path} at ${width} px`;
        await page.setViewportSize({ width, height: 844 });
        await assertFits(place);
        if (!AXE_WIDTHS.has(width)) continue;
        await page.emulateMedia({ colorScheme: 'light' });
        assert.deepEqual(await violations(), [], place);
        await page.emulateMedia({ colorScheme: 'dark' });
        assert.deepEqual(await axeViolations(page, ['color-contrast']), [], `${place}, dark`);
      }
    });

  test('dialogs with forms have no axe violation', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const colorScheme of ['light', 'dark'] as const)
      for (const [path, button] of [
        ['keys', 'New key'],
        ['account', 'Set a budget'],
        ['/administration', /^Limits of/],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await arrive(path);
        await page.getByRole('button', { name: button }).first().click();
        await page.getByRole('dialog').waitFor();
        assert.deepEqual(await violations(), [], path);
      }
  });

  test('a transcript with its changes has no axe violation', async () => {
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 1280],
      ['light', 390],
      ['dark', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      await arrive('playground');
      await page.getByLabel('Audio files').setInputFiles(site.clip);
      await page.getByTestId('transcript').waitFor();
      assert.deepEqual(await violations(), [], colorScheme);
      const cut = await page
        .locator('.tabs')
        .evaluateAll((boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).length);
      assert.equal(cut, 0, `tabs are cut at ${width} px`);
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
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [390, 1280])
        for (const path of ['/', `/welcome/${token}`, '/reset/nothing', '/signed-in']) {
          await door.emulateMedia({ colorScheme });
          await door.setViewportSize({ width, height: 844 });
          await door.goto(`${site.url}/console${path}`);
          await door.getByRole('heading', { level: 1 }).waitFor();
          assert.deepEqual(await axeViolations(door), [], `${path} ${colorScheme} ${width}`);
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

  test('a long list is narrowed by what is typed', async () => {
    await arrive('/administration');
    await page.getByLabel('Find an account').fill('CUSTOMER 1');
    await page.getByRole('link', { name: 'acme', exact: true }).waitFor({ state: 'detached' });
    assert.equal(await page.locator('tbody tr').count(), 11);
    await page.getByLabel('Find an account').fill('no such');
    await page.getByText('Nothing has that in its name').waitFor();
  });

  test('rows of people are aligned, whatever their names are', async () => {
    await page.setViewportSize({ width: 1280, height: 844 });
    for (const [path, label] of [
      ['account', 'Role'],
      ['/administration?part=people', 'Accounts'],
    ] as const) {
      await arrive(path);
      const edges = await page
        .locator(`td[data-label="${label}"]`)
        .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().left));
      assert.ok(edges.length >= 6, path);
      assert.equal(new Set(edges).size, 1, path);
    }
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
    assert.match(told, /^This link is no longer valid\. Ask for a new one\.\s+NOT_FOUND/);
  });

  test('no page threw an error or broke the content security policy', () => {
    assert.deepEqual(site.complaints, []);
  });
});
