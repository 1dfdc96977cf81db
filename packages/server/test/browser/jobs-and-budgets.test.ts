// Jobs, budgets and receipts in a browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { LedgerMeter } from '../../src/usage/ledger/ledger-meter.ts';
import { verifyReceipt } from '../../src/usage/receipts/verify.ts';
import { entry } from '../../src/usage/testing/entries.ts';
import { browserAbsence } from './browser.ts';
import { type ConsoleSite, startConsoleSite } from './console-site.ts';
import { addJobs } from './large-data.ts';

suite('jobs, budgets and receipts in a browser', { skip: browserAbsence }, () => {
  let site: ConsoleSite;
  let page: Page;

  before(async () => {
    site = await startConsoleSite();
    page = site.page;
    await page.setViewportSize({ width: 1280, height: 900 });
  });
  after(() => site?.close());

  const rows = () => page.getByTestId('jobs').locator('tr.record');
  const choose = (state: string) => page.getByRole('combobox', { name: 'State' }).selectOption({ label: state });

  test('a server without jobs says so', async () => {
    await site.open('jobs');
    await page.getByText('Jobs are off').waitFor();
    assert.equal(await page.getByLabel('Audio files').count(), 0);
  });

  test('jobs show their state in words and error messages without codes; the filter is in the URL', async () => {
    await addJobs(site.app.storage, site.account.id);
    await site.open('jobs');
    await rows().first().waitFor();
    assert.equal(await rows().count(), 50);
    await choose('Failed');
    await page.waitForURL(/state=failed/, { waitUntil: 'commit' });
    await rows().filter({ hasText: 'Too long' }).first().waitFor();
    assert.doesNotMatch(await page.getByTestId('jobs').innerText(), /AUDIO_/);
    await rows()
      .filter({ hasText: 'Too long' })
      .first()
      .getByRole('button', { name: /^Details of/ })
      .click();
    assert.match(await page.locator('.details').innerText(), /Error\s+It has 14401 seconds; 14400 are allowed\.\s+Job/);
    await page.reload();
    await rows().filter({ hasText: 'Too long' }).first().waitFor();
    assert.equal(await rows().filter({ hasText: 'Done' }).count(), 0);
  });

  test('a webhook that fails shows why', async () => {
    await choose('Done');
    const again = rows().filter({ hasText: 'retrying' }).first();
    await again.getByRole('button', { name: /^Details of/ }).click();
    await page.getByText('3 attempts. The last one failed: The receiver answered 500.').waitFor();
  });

  test('older jobs are on the next page', async () => {
    await choose('Any state');
    await page.getByRole('button', { name: 'Older jobs' }).click();
    await page.getByRole('button', { name: 'Newest jobs' }).waitFor();
    await page.getByRole('button', { name: 'Older jobs' }).waitFor({ state: 'detached' });
    // The buttons change before the rows arrive.
    await rows().nth(9).waitFor();
    assert.equal(await rows().count(), 10);
  });

  test('a job is cancelled only after confirmation', async () => {
    await choose('Waiting');
    const ofState = () =>
      site.app.storage.read.selectFrom('jobs').select('id').where('state', '=', 'waiting').execute();
    await rows().first().waitFor();
    const before = (await ofState()).length;
    await rows()
      .first()
      .getByRole('button', { name: /^Cancel job/ })
      .click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    assert.equal((await ofState()).length, before);
    await rows()
      .first()
      .getByRole('button', { name: /^Cancel job/ })
      .click();
    await page.getByRole('button', { name: 'Cancel the job' }).click();
    await rows()
      .nth(before - 1)
      .waitFor({ state: 'detached' });
    assert.equal((await ofState()).length, before - 1);
  });

  test('a budget is set in minutes, shows what was spent, and warns', async () => {
    const { listing } = await createKey(site.app.storage, {
      accountId: site.account.id,
      name: 'laptop',
      createdBy: null,
    });
    const meter = new LedgerMeter(site.app.storage);
    const use = (billedSeconds: number) =>
      meter.record(entry({ accountId: site.account.id, keyId: listing.id, billedSeconds, createdAtMs: Date.now() }));
    await use(540);
    await site.open('settings');
    await page.getByText('No budgets yet').waitFor();
    await page.getByRole('button', { name: 'Set a budget' }).click();
    await page.getByLabel('Budget of').selectOption({ label: 'laptop' });
    await page.getByRole('button', { name: 'Save budget' }).click();
    await page.getByText('Enter minutes per day, per month, or both.').waitFor();
    await page.getByLabel('Minutes per day').fill('10');
    await page.getByLabel('Refuse requests when it is used up').check();
    await page.getByRole('button', { name: 'Save budget' }).click();
    const row = page.getByTestId('budgets').getByRole('row', { name: 'laptop' });
    await row.getByText('9 min of 10 min').waitFor();
    await row.getByText('Nearly used up').waitFor();
    await use(120);
    await meter.close();
    await page.reload();
    await row.getByText('11 min of 10 min').waitFor();
    await row.getByText('Used up, refusing').waitFor();
  });

  test('two tabs edit the same budget: the second gets an error and keeps its input', async () => {
    const other = await site.context.newPage();
    await site.open('settings', other);
    for (const tab of [page, other]) await tab.getByRole('button', { name: 'Change the budget of laptop' }).click();
    await other.getByLabel('Minutes per day').fill('20');
    await other.getByRole('button', { name: 'Save budget' }).click();
    await other.getByText('11 min of 20 min').waitFor();
    await page.getByLabel('Minutes per day').fill('30');
    await page.getByRole('button', { name: 'Save budget' }).click();
    await page.getByText('Someone else has changed this meanwhile').waitFor();
    assert.equal(await page.getByLabel('Minutes per day').inputValue(), '30');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('11 min of 20 min').waitFor();
    await page.getByRole('button', { name: 'Remove the budget of laptop' }).click();
    await page.getByRole('button', { name: 'Remove budget', exact: true }).click();
    await page.getByText('No budgets yet').waitFor();
    await other.close();
  });

  test('the receipt of a request can be downloaded and verified offline', async () => {
    await site.open('usage');
    await page
      .getByRole('button', { name: /^Details of/ })
      .first()
      .click();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download signed receipt' }).click(),
    ]);
    const { receipt } = verifyReceipt(await readFile(await saved.path(), 'utf8'), undefined);
    assert.equal(receipt.link.seq, 2);
  });

  test('no page threw an error or violated the content security policy', () => {
    assert.deepEqual(site.problems, []);
  });
});
