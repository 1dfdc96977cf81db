// The console in a real browser, with a real server and real speech from a fake microphone.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ensureAccount } from '../../src/accounts/accounts.ts';
import { createFirstAdministratorInvitation } from '../../src/accounts/people/invitations.ts';
import { type App, createApp } from '../../src/app/app.ts';
import { parseConfig } from '../../src/app/config.ts';
import { silentLog } from '../../src/observability/log.ts';
import { CLIP_WORDS, speechClip } from '../speech/clip.ts';
import { browserAbsence, openBrowser } from './browser.ts';

const PASSWORD = 'a long enough one';
/** Longer than any step takes on a busy machine. */
const TIMEOUT_MS = 120_000;

suite('the console in a browser', { skip: browserAbsence }, () => {
  let app: App;
  let url: string;
  let clip: string;
  let dataDir: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const problems: string[] = [];

  before(async () => {
    clip = await speechClip();
    dataDir = await mkdtemp(join(tmpdir(), 'faircopy-browser-'));
    const env = {
      PORT: '0',
      FAIRCOPY_DATA_DIR: dataDir,
      FAIRCOPY_MODELS: 'svc-1.0-pro',
      FAIRCOPY_SHUTDOWN_GRACE_MS: '1000',
    };
    const { FAIRCOPY_MODELS_DIR } = process.env;
    app = await createApp(parseConfig({ ...env, FAIRCOPY_MODELS_DIR }), { log: silentLog() });
    url = await app.listen();
    await app.warm();
    browser = await openBrowser(clip);
    context = await browser.newContext({ permissions: ['microphone'] });
    context.setDefaultTimeout(TIMEOUT_MS);
    page = await context.newPage();
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) problems.push(message.text());
    });
  });

  after(async () => {
    await browser?.close();
    await app?.close();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  });

  const open = (path: string) => page.goto(`${url}/console${path}`);
  const transcript = () => page.getByTestId('transcript').innerText();

  test('the first link creates the administrator and signs them in', async () => {
    const { account } = await ensureAccount(app.storage, 'default');
    const token = await createFirstAdministratorInvitation(app.storage, account.id, 'a');
    await open(`/welcome/${token}`);
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('E-mail').fill('ada@example.org');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create my sign-in' }).click();
    await page.getByRole('heading', { name: 'Playground' }).waitFor();
  });

  test('a user signs out and in again; a wrong password shows an error', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Faircopy' }).waitFor();
    await page.getByLabel('E-mail').fill('ada@example.org');
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Playground' }).waitFor();
  });

  test('a key is shown once, works, and stops working when it is revoked', async () => {
    await open('/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('<script>alert(1)</script>');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByTestId('new-key').innerText();
    assert.match(key, /^fc_/);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('row', { name: 'alert(1)' }).waitFor();
    assert.equal((await page.content()).includes(key), false);
    await page.reload();
    await page.getByRole('row', { name: 'alert(1)' }).waitFor();
    assert.equal((await page.content()).includes(key), false);

    // 400 refers to the missing form, so the key was accepted.
    const ask = () => fetch(`${url}/v1/transcribe`, { method: 'POST', headers: { authorization: `Token ${key}` } });
    assert.equal((await ask()).status, 400);
    await page.getByRole('button', { name: 'Limit' }).click();
    await page.getByRole('checkbox', { name: 'jobs' }).uncheck();
    await page.getByLabel('Addresses').fill('10.0.0.0/99');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('"10.0.0.0/99" needs 0 to 32 after the /').waitFor();
    await page.getByLabel('Addresses').fill('10.0.0.0/8');
    for (const model of await page.getByRole('checkbox', { name: 'svc-' }).all()) await model.uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('rules.models: must name at least one').waitFor();
    for (const model of await page.getByRole('checkbox', { name: 'svc-' }).all()) await model.check();
    await page.getByLabel('Tags').fill('front desk, kiosk');
    await page.getByLabel('Refinement').selectOption('none');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText(
        'only transcribe, stream, usage, voices · 10.0.0.0/8 · refinement always none · tagged front desk, kiosk',
      )
      .waitFor();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('revoked', { exact: true }).waitFor();
    const deadline = Date.now() + 5_000;
    let status = 0;
    // Each attempt adds a usage row, and the usage page below shows only fifty.
    do {
      await setTimeout(250);
      status = (await ask()).status;
    } while (status !== 401 && Date.now() < deadline);
    assert.equal(status, 401);
  });

  test('the playground transcribes a file', async () => {
    await open('/playground');
    await page.getByLabel('Audio files').setInputFiles(clip);
    await page.getByTestId('transcript').waitFor();
    assert.match(await transcript(), CLIP_WORDS);
    await page.getByText('Raw JSON').click();
    assert.match(await page.getByRole('region', { name: 'Raw JSON' }).innerText(), /"billed_audio_seconds": 15/);
  });

  test('the playground transcribes a microphone recording', async () => {
    await open('/playground');
    await page.getByRole('tab', { name: 'Record' }).click();
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await page.getByText('0:11').waitFor();
    await page.getByRole('button', { name: 'Stop and transcribe' }).click();
    await page.getByTestId('transcript').waitFor();
    assert.match(await transcript(), /country/i);
  });

  test('the playground transcribes live speech', async () => {
    await open('/playground');
    await page.getByRole('tab', { name: 'Speak live' }).click();
    await page.getByRole('button', { name: 'Start speaking' }).click();
    await page.getByText('0:11').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByTestId('transcript').waitFor();
    assert.match(await transcript(), /country/i);
  });

  test('usage shows the requests, with the numbers of the ledger', async () => {
    await open('/usage');
    const rows = page.getByTestId('records').locator('tr.record');
    await rows.first().waitFor();
    const ledger = await app.storage.read.selectFrom('usage_records').selectAll().execute();
    assert.equal(await rows.count(), ledger.length);
    const billed = ledger.reduce((sum, row) => sum + row.billed_ms / 1000, 0);
    assert.ok(billed >= 45);
    await page.locator('.figure', { hasText: 'Requests' }).getByText(String(ledger.length), { exact: true }).waitFor();
  });

  test('no page threw an error or violated the content security policy', () => {
    assert.deepEqual(problems, []);
  });
});
