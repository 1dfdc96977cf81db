// Usage in a browser: the chart, filters, details, totals and money.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { newRequestId } from '../../src/lib/request-id.ts';
import { PLAYGROUND_CREATOR } from '../../src/storage/playground-keys.ts';
import { LedgerMeter } from '../../src/usage/ledger/ledger-meter.ts';
import type { UsageEntry } from '../../src/usage/meter.ts';
import { browserAbsence } from './browser.ts';
import { type ConsoleSite, startConsoleSite } from './console-site.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const dayText = (ago: number): string => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);

suite('usage in a browser', { skip: browserAbsence }, () => {
  let site: ConsoleSite;
  let page: Page;
  let meter: LedgerMeter;
  let keyId: string;

  before(async () => {
    // 36 cents per hour, a hundredth of a cent per second.
    site = await startConsoleSite({ FAIRCOPY_PRICES: 'EUR 0.36' });
    page = site.page;
    meter = new LedgerMeter(site.app.storage);
    await page.setViewportSize({ width: 1280, height: 900 });
  });
  after(async () => {
    await meter?.close();
    await site?.close();
  });

  const use = (ago: number, changes: Partial<UsageEntry> = {}) =>
    meter.record({
      requestId: newRequestId(),
      accountId: site.account.id,
      keyId,
      mode: 'file',
      model: 'svc-1.0-max',
      status: 'success',
      audioSeconds: 20,
      billedSeconds: 20,
      outputTokenCount: 5,
      detectedLanguage: 'en',
      receiveMs: 12,
      recognitionMs: 345,
      refinementMs: 6,
      refinementFallback: null,
      queueMs: 78,
      createdAtMs: Date.now() - ago * DAY_MS,
      ...changes,
    } as UsageEntry);
  const bars = () => page.locator('.bars .bar');
  const daysOfBars = () =>
    bars().evaluateAll((all) => all.map((bar) => (bar as unknown as { dataset: { day: string } }).dataset.day));

  test('without requests the axis covers the chosen days', async () => {
    await site.open('usage');
    await bars().first().waitFor({ state: 'attached' });
    assert.equal(await bars().count(), 30);
    await page.getByText('No requests in this period').waitFor();
  });

  test('one day of data is one bar among empty ones; today is the last', async () => {
    ({
      listing: { id: keyId },
    } = await createKey(site.app.storage, {
      accountId: site.account.id,
      name: 'worker',
      createdBy: null,
    }));
    await use(0);
    await site.open('usage');
    await page.getByText('20 s · €0.002 · 1 request').first().waitFor();
    const days = await daysOfBars();
    assert.deepEqual([days.length, days[0], days.at(-1)], [30, dayText(29), dayText(0)]);
    const heights = await bars().evaluateAll((all) => all.map((bar) => Number(bar.getAttribute('height'))));
    assert.ok(heights.slice(0, -1).every((height) => height === 0));
    assert.ok(heights.at(-1)! > 50);
  });

  test('a year is summed by week; units fit the values; pointing shows values; a table lists all', async () => {
    for (const ago of [3, 40, 200, 364]) await use(ago, { billedSeconds: 9_000, audioSeconds: 9_000 });
    await site.open('usage?days=365');
    await page.locator('.bars .axis', { hasText: / h$/ }).first().waitFor();
    const count = await bars().count();
    assert.equal(count, 53);
    await page
      .locator('.bars .slot')
      .nth(count - 1)
      .hover();
    await page.getByTestId('chart-figures').getByText('2.51 h billed, 2 requests, 0 errors').waitFor();
    await page.getByText('Show as table').click();
    assert.equal(await page.locator('.chart-table tbody tr').count(), 53);
    await site.open('usage?days=1');
    await page.locator('.bars .axis', { hasText: / s$/ }).first().waitFor();
    assert.equal(await bars().count(), 1);
  });

  test('filters are in the URL and survive a reload; invalid values are ignored', async () => {
    await use(1, { status: 'AUDIO_TOO_LONG', billedSeconds: 0, errorMessage: 'It has 301 seconds; 300 are allowed.' });
    await site.open('usage');
    await page.getByLabel('Outcome').selectOption({ label: 'Too long' });
    await page.waitForURL(/status=AUDIO_TOO_LONG/, { waitUntil: 'commit' });
    await page.getByTestId('records').locator('tr.record').first().waitFor();
    await page.reload();
    await page.getByTestId('records').locator('tr.record').first().waitFor();
    assert.equal(await page.getByTestId('records').locator('tr.record').count(), 1);
    await site.open('usage?status=nonsense&days=x&mode=y');
    await page.getByTestId('records').locator('tr.record').nth(2).waitFor();
  });

  test('a tag narrows the page, its CSV, the receipts and the totals', async () => {
    await use(5, { tags: ['berlin'], billedSeconds: 15, audioSeconds: 7 });
    await site.open('usage');
    await page.getByLabel('Tag', { exact: true }).fill('berlin');
    await page.getByLabel('Tag', { exact: true }).press('Enter');
    await page.waitForURL(/tag=berlin/, { waitUntil: 'commit' });
    await page.locator('.figure', { hasText: 'Requests' }).getByText('1', { exact: true }).waitFor();
    const download = async (name: string): Promise<string> => {
      const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()]);
      return (await readFile(await saved.path(), 'utf8')).trimEnd();
    };
    assert.equal((await download('Export CSV')).split('\n').length, 2);
    assert.match(await download('Signed receipts'), /^[\w-]+\.[\w-]+\.[\w-]+$/);
    await page.getByRole('tab', { name: 'Totals' }).click();
    await page.getByTestId('totals').locator('tbody tr').first().waitFor();
    assert.equal(await page.getByTestId('totals').locator('tbody tr').count(), 1);
    assert.match(await download('Export totals'), /worker,1,0,7,15,5/);
  });

  test('the details of a request show its stages, queue wait, key and error message', async () => {
    await site.open('usage?status=AUDIO_TOO_LONG');
    const open = page.getByRole('button', { name: /^Details of/ });
    await open.click();
    await page.getByText('It has 301 seconds; 300 are allowed.').waitFor();
    // Failed audio is counted separately, times have seconds and a time zone, and no error code is shown.
    await page.locator('.figure', { hasText: 'Audio' }).getByText('0 s exactly, and 20 s failed').waitFor();
    await page.getByRole('columnheader', { name: /^When \(.+\)$/ }).waitFor();
    await page
      .locator('td', { hasText: /\d:\d\d:\d\d/ })
      .first()
      .waitFor();
    assert.doesNotMatch(await page.getByTestId('records').innerText(), /AUDIO_TOO_LONG/);
    for (const shown of ['345 ms', '78 ms', '12 ms', 'worker'])
      await page.locator('.details').getByText(shown).waitFor();
  });

  test('all keys of the playground are one entry', async () => {
    for (const ago of [0, 1, 2]) {
      const { listing } = await createKey(site.app.storage, {
        accountId: site.account.id,
        name: 'Playground',
        createdBy: PLAYGROUND_CREATOR,
      });
      await use(ago, { keyId: listing.id });
    }
    await site.open('usage');
    const entry = page.locator('.shares li', { hasText: 'Playground' });
    await entry.getByText('60 s · €0.006 · 3 requests').waitFor();
    assert.equal(await entry.count(), 1);
    await page.getByLabel('Key', { exact: true }).selectOption({ label: 'Playground' });
    await page.locator('.figure', { hasText: 'Requests' }).getByText('3', { exact: true }).waitFor();
    await page.getByTestId('records').locator('tr.record').nth(2).waitFor();
    assert.equal(await page.getByTestId('records').locator('tr.record').count(), 3);
    // The list of accounts counts only keys that the keys page shows.
    await page.goto(`${site.url}/console/administration`);
    await page.getByRole('link', { name: 'Keys of default: 1', exact: true }).waitFor();
  });

  test('no column is cut off at 1280 px', async () => {
    const { listing } = await createKey(site.app.storage, {
      accountId: site.account.id,
      name: 'A key with a very, very long name that does not fit',
      createdBy: null,
    });
    const refused = { status: 'AUDIO_FORMAT_UNSUPPORTED', audioSeconds: 299.99, billedSeconds: 0 } as const;
    await use(0, { ...refused, keyId: listing.id, mode: 'stream' });
    for (const address of ['usage', 'usage?view=totals', 'keys', 'settings']) {
      await site.open(address);
      await page.locator('.table-frame table.stacked:visible').first().waitFor();
      const cut = await page
        .locator('.table-frame')
        .evaluateAll((frames) => frames.filter((frame) => frame.scrollWidth > frame.clientWidth).length);
      assert.equal(cut, 0, address);
    }
  });

  test('totals by month and day, account and key, are shown and exported', async () => {
    await page.goto(`${site.url}/console/administration?part=totals`);
    const rows = page.getByTestId('totals').locator('tbody tr');
    await rows.first().waitFor();
    await rows
      .filter({ hasText: dayText(0).slice(0, 7) })
      .filter({ hasText: 'Playground' })
      .first()
      .waitFor();
    await page.getByRole('combobox', { name: 'Totals' }).selectOption({ label: 'By day' });
    await rows
      .filter({ hasText: dayText(0) })
      .filter({ hasText: 'worker' })
      .waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export totals' }).click(),
    ]);
    const csv = await readFile(await saved.path(), 'utf8');
    assert.match(csv, /^period,account_id,account_name,key_id,key_name,requests,errors,audio_seconds,billed_seconds/);
    assert.match(csv, new RegExp(`${dayText(0)},${site.account.id},default,${keyId},worker,1,0,20,20,5`));
  });

  test('no page threw an error or violated the content security policy', () => {
    assert.deepEqual(site.problems, []);
  });
});
