// The documentation in a browser: search, the API explorer, accessibility, and width on small screens.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { axeViolations } from './axe.ts';
import { browserAbsence } from './browser.ts';
import { type ConsoleSite, startConsoleSite } from './console-site.ts';

suite('the documentation in a browser', { skip: browserAbsence }, () => {
  let site: ConsoleSite;

  before(async () => {
    site = await startConsoleSite();
  });
  after(() => site?.close());

  test('search finds a section and opens it', async () => {
    const page = await site.newSession();
    await page.goto(`${site.url}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('webhook signature');
    await page.locator('#results a').first().click();
    await page.waitForURL(/\/docs\/jobs#/);
    await page.getByLabel('Search the documentation').fill('zzzz');
    await page.getByText('Nothing found.').waitFor();
  });

  test('the explorer sends a request and shows the answer', async () => {
    const page = await site.newSession();
    await page.goto(`${site.url}/docs/explorer`);
    await page.locator('summary', { hasText: '/healthz' }).click();
    const operation = page.locator('.operation[open]');
    assert.match(await operation.locator('pre').first().innerText(), /curl -X GET/);
    await operation.getByRole('button', { name: 'Send' }).click();
    await operation.locator('pre', { hasText: '200 OK' }).waitFor();
  });

  test('pages are accessible and fit a small screen', async () => {
    const page = await site.newSession();
    await page.setViewportSize({ width: 390, height: 800 });
    for (const path of ['', 'openai', 'configuration', 'explorer']) {
      await page.goto(`${site.url}/docs/${path}`);
      if (path === 'explorer') await page.locator('.operation').first().waitFor();
      assert.deepEqual(await axeViolations(page), [], path);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      assert.ok(width <= 390, `/docs/${path} is ${width} px wide`);
    }
  });
});
