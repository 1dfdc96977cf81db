// Checks of every page: accessibility, titles, focus, keyboard, narrow screens, escaping of names.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createInvitation } from '../../src/accounts/people/invitations.ts';
import { axeViolations } from './axe.ts';
import { browserAbsence } from './browser.ts';
import { type ConsoleSite, startConsoleSite } from './console-site.ts';
import { fillWithLargeData } from './large-data.ts';

const PAGES = [
  ['playground', 'Playground'],
  ['keys', 'API keys'],
  ['usage', 'Usage'],
  ['usage?view=totals', 'Usage'],
  ['jobs', 'Jobs'],
  ['vocabulary', 'Vocabulary'],
  ['settings', 'Settings'],
  ['/profile', 'Your profile'],
  ['/administration', 'Administration'],
  ['/administration?part=people', 'Administration'],
  ['/administration?part=totals', 'Administration'],
  ['/administration?part=server', 'Administration'],
  ['/nothing-here', 'Page not found'],
] as const;

const WIDTHS = [390, 768, 1024, 1240, 1280, 1920] as const;
const AXE_WIDTHS: ReadonlySet<number> = new Set([390, 1280]);
/** Colours do not depend on the width. */
const DARK_WIDTH_MIN = 1280;

suite('accessibility and layout of the console in a browser', { skip: browserAbsence }, () => {
  let site: ConsoleSite;
  let page: Page;

  before(async () => {
    site = await startConsoleSite();
    page = site.page;
    await fillWithLargeData(site.app.storage, site.account);
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
      // The table of the chart scrolls by design, by keyboard too.
      .locator('.table-frame:not(.table-tall), .tabs')
      .evaluateAll((boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).length);
    assert.equal(cut, 0, `${place}: a table or tabs are cut`);
  };

  for (const [path] of PAGES)
    test(`${path} with a lot of data: nothing overflows, no axe violations`, async () => {
      await page.setViewportSize({ width: WIDTHS[0], height: 844 });
      await arrive(path);
      for (const width of WIDTHS) {
        const place = `${path} at ${width} px`;
        await page.setViewportSize({ width, height: 844 });
        await assertFits(place);
        if (!AXE_WIDTHS.has(width)) continue;
        await page.emulateMedia({ colorScheme: 'light' });
        assert.deepEqual(await violations(), [], place);
        if (width < DARK_WIDTH_MIN) continue;
        await page.emulateMedia({ colorScheme: 'dark' });
        assert.deepEqual(await axeViolations(page, ['color-contrast']), [], `${place}, dark`);
      }
    });

  test('dialogs with forms have no axe violations', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const colorScheme of ['light', 'dark'] as const)
      for (const [path, button] of [
        ['keys', 'New key'],
        ['settings', 'Set a budget'],
        ['/administration', /^Limits of/],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await arrive(path);
        await page.getByRole('button', { name: button }).first().click();
        await page.getByRole('dialog').waitFor();
        assert.deepEqual(await violations(), [], path);
      }
  });

  test('a transcript with its changes has no axe violations', async () => {
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

  test('the pages before sign-in have no axe violations', async () => {
    const signedOut = await site.newSession();
    const { token } = await createInvitation(site.app.storage, {
      accountId: site.account.id,
      role: 'member',
      email: null,
    });
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [390, 1280])
        for (const path of ['/', `/welcome/${token}`, '/reset/nothing', '/signed-in']) {
          await signedOut.emulateMedia({ colorScheme });
          await signedOut.setViewportSize({ width, height: 844 });
          await signedOut.goto(`${site.url}/console${path}`);
          await signedOut.getByRole('heading', { level: 1 }).waitFor();
          assert.deepEqual(await axeViolations(signedOut), [], `${path} ${colorScheme} ${width}`);
        }
    await signedOut.context().close();
  });

  test('every page has its own title', async () => {
    for (const [path, title] of PAGES) {
      await arrive(path);
      assert.match(await page.title(), new RegExp(`^${title}.*Faircopy$`), path);
    }
  });

  test('names with markup, direction marks and emoji are shown as text', async () => {
    await page.setViewportSize({ width: 1280, height: 844 });
    for (const path of ['keys', 'vocabulary', 'settings', '/administration']) {
      await arrive(path);
      assert.ok((await page.locator('main').innerText()).includes('<img src=x onerror="alert(1)">'), path);
      assert.equal(await page.locator('main img').count(), 0);
    }
    assert.equal(await page.title(), 'Administration · Faircopy');
  });

  test('navigation moves the focus to the heading, and a skip link skips the navigation', async () => {
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

  test('a long list can be searched', async () => {
    await arrive('/administration');
    await page.getByLabel('Find an account').fill('CUSTOMER 1');
    await page.getByRole('link', { name: 'acme', exact: true }).waitFor({ state: 'detached' });
    assert.equal(await page.locator('tbody tr').count(), 11);
    await page.getByLabel('Find an account').fill('no such');
    await page.getByText('No matches').waitFor();
  });

  test('rows of people are aligned, regardless of their names', async () => {
    await page.setViewportSize({ width: 1280, height: 844 });
    for (const [path, label] of [
      ['settings', 'Role'],
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

  test('administration works on a phone, and shows the state of the server in words', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await arrive('playground');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByRole('tab', { name: 'Server' }).click();
    await page.getByText('Ready and idle.').waitFor();
    await page.getByText('no audio is waiting').waitFor();
    assert.equal(await page.getByText(/^Process \d/).isVisible(), false);
  });

  test('an error shows its message but not its code', async () => {
    await page.goto(`${site.url}/console/reset/nothing`);
    const shown = await page.getByRole('alert').innerText();
    assert.equal(shown.trim(), 'This link is no longer valid. Ask for a new one.');
  });

  test('on a phone, code wraps and the hint to drop files is hidden', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await arrive('playground');
    await page.getByRole('tab', { name: 'Deepgram SDK' }).click();
    const cut = await page
      .locator('.code-box')
      .evaluateAll((boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).length);
    assert.equal(cut, 0);
    assert.equal(await page.getByText('Drop recordings here').isVisible(), false);
    await page.setViewportSize({ width: 1280, height: 844 });
    await page.getByText('Drop recordings here').waitFor();
  });

  test('every page of the navigation has an icon, and the current one is marked', async () => {
    await arrive('usage');
    const links = page.getByRole('navigation').locator('li a');
    assert.equal(await links.locator('svg').count(), await links.count());
    assert.equal((await page.locator('nav [aria-current]').innerText()).trim(), 'Usage');
  });

  test('no page threw an error or violated the content security policy', () => {
    assert.deepEqual(site.problems, []);
  });
});
