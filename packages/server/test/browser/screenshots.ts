// `npm run console:screenshots -- FOLDER [pages]`: screenshots of every page, at three widths, in both themes,
// with a lot of data, some data and none.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createInvitation } from '../../src/accounts/people/invitations.ts';
import { createPasswordReset } from '../../src/accounts/people/password-resets.ts';
import { VoicePrints } from '../../src/accounts/voices/voice-prints.ts';
import { natsAbsence, startOwnNats } from '../../src/cluster/testing/own-nats.ts';
import { BIN } from '../cli/run-cli.ts';
import { type ConsoleSite, startConsoleSite } from './console-site.ts';
import { fillWithLargeData, fillWithSomeData } from './large-data.ts';

const WIDTHS = [390, 768, 1440];
const THEMES = ['light', 'dark'] as const;

interface Shot {
  readonly name: string;
  /** A path without a slash is a page of the account. */
  readonly path: string;
  readonly isSignedOut?: boolean;
  /** Runs before the screenshot. */
  readonly act?: (page: Page) => Promise<unknown>;
}

const press =
  (name: string | RegExp) =>
  (page: Page, options = {}) =>
    page.getByRole('button', { name }).first().click(options);

/** Presses the button if there is one. */
const pressIfThere = (name: string) => async (page: Page) => {
  if ((await page.getByRole('button', { name }).count()) > 0) await press(name)(page);
};

/** Opens the first row, if there is one. */
const openDetails = (page: Page) => press(/^Details of/)(page, { timeout: 3_000 }).catch(() => {});

const shots = async (site: ConsoleSite): Promise<Shot[]> => {
  const { storage } = site.app;
  const { token } = await createInvitation(storage, { accountId: site.account.id, role: 'member', email: null });
  const first = await createInvitation(storage, { accountId: site.account.id, role: 'owner', email: null });
  // Shows the first page of a new server, although this link would be refused here.
  await storage.write
    .updateTable('welcome_links')
    .set({ purpose: 'first_administrator' })
    .where('id', '=', first.invitation.id)
    .execute();
  const ada = await storage.read.selectFrom('people').select('id').where('name', '=', 'Ada').executeTakeFirst();
  const reset = await createPasswordReset(storage, ada!.id);
  const transcribe = async (page: Page) => {
    await page.getByLabel('Audio files').setInputFiles(site.clip);
    await page.getByTestId('transcript').waitFor();
    await page.locator('.waveform rect').first().waitFor({ state: 'attached' });
  };
  const view = (name: string, then?: (page: Page) => Promise<unknown>) => async (page: Page) => {
    await transcribe(page);
    await page.getByRole('tab', { name, exact: true }).click();
    await then?.(page);
  };
  return [
    { name: 'sign-in', path: '/', isSignedOut: true },
    { name: 'first-administrator', path: `/welcome/${first.token}`, isSignedOut: true },
    { name: 'invitation', path: `/welcome/${token}`, isSignedOut: true },
    { name: 'invitation-known', path: `/welcome/${token}` },
    { name: 'reset', path: `/reset/${reset.token}`, isSignedOut: true },
    { name: 'reset-expired', path: '/reset/nothing', isSignedOut: true },
    { name: 'playground', path: 'playground' },
    { name: 'record', path: 'playground', act: (page) => page.getByRole('tab', { name: 'Record' }).click() },
    { name: 'keys', path: 'keys' },
    { name: 'keys-new', path: 'keys', act: press('New key') },
    { name: 'keys-limit', path: 'keys', act: pressIfThere('Limit') },
    { name: 'usage', path: 'usage' },
    { name: 'usage-year', path: 'usage?days=365' },
    { name: 'usage-today', path: 'usage?days=1' },
    {
      name: 'usage-failed',
      path: 'usage?status=AUDIO_TOO_LONG&days=365',
      act: openDetails,
    },
    { name: 'usage-totals', path: 'usage?view=totals' },
    { name: 'jobs', path: 'jobs' },
    {
      name: 'jobs-details',
      path: 'jobs?state=failed',
      act: openDetails,
    },
    { name: 'vocabulary', path: 'vocabulary' },
    { name: 'voices', path: 'voices' },
    { name: 'voices-enrol', path: 'voices', act: press('Enrol a person') },
    { name: 'settings', path: 'settings' },
    { name: 'settings-budget', path: 'settings', act: press('Set a budget') },
    { name: 'settings-invite', path: 'settings', act: press('Invite') },
    { name: 'profile', path: '/profile' },
    { name: 'admin-accounts', path: '/administration' },
    { name: 'admin-limits', path: '/administration', act: press(/^Limits of/) },
    { name: 'admin-people', path: '/administration?part=people' },
    { name: 'admin-totals', path: '/administration?part=totals' },
    { name: 'admin-server', path: '/administration?part=server' },
    { name: 'not-found', path: '/nothing-here' },
    {
      name: 'menu',
      path: 'keys',
      act: (page) => press('Menu')(page, { timeout: 500 }).catch(() => {}),
    },
    // Last, because these add usage.
    {
      name: 'playground-refused',
      path: 'playground',
      act: (page) =>
        page
          .getByLabel('Audio files')
          .setInputFiles({ name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 no audio') })
          .then(() => page.getByText('a PDF document').waitFor()),
    },
    { name: 'transcript', path: 'playground', act: transcribe },
    {
      name: 'transcript-speakers',
      path: 'playground',
      act: async (page) => {
        const choice = page.getByRole('combobox', { name: 'Speakers' });
        await choice.selectOption({ label: 'Detect speakers' });
        await transcribe(page);
        const name = page.getByRole('textbox', { name: 'Name of Speaker 1' });
        await name.fill('Ada Lovelace');
        await name.press('Enter');
      },
    },
    {
      name: 'transcript-changes',
      path: 'playground',
      act: view('Changes', (page) => page.locator('button.change').nth(1).click()),
    },
    { name: 'transcript-both', path: 'playground', act: view('Side by side') },
    { name: 'transcript-correct', path: 'playground', act: view('Correct') },
    {
      name: 'live',
      path: 'playground',
      act: async (page) => {
        await page.getByRole('tab', { name: 'Speak live' }).click();
        await page.getByRole('button', { name: 'Start speaking' }).click();
        // The fake microphone may have reached the end of its file.
        const words = page.getByTestId('captions').locator('.interim').filter({ hasText: /\w/ });
        await words.waitFor({ timeout: 6_000 }).catch(() => {});
      },
    },
  ];
};

const takeScreenshots = async (site: ConsoleSite, folder: string, wanted: readonly string[]): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const signedOut = await site.newSession();
  for (const shot of await shots(site)) {
    if (wanted.length > 0 && !wanted.includes(shot.name)) continue;
    const page = shot.isSignedOut ? signedOut : site.page;
    for (const colorScheme of THEMES)
      for (const width of WIDTHS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
        const base = shot.path.startsWith('/') ? '' : `/accounts/${site.account.id}/`;
        await page.goto(`${site.url}/console${base}${shot.path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        while ((await page.locator('.spinner').count()) > 0) await page.waitForTimeout(50);
        await shot.act?.(page);
        await page.waitForTimeout(100);
        await page.screenshot({ path: join(folder, `${shot.name}-${width}-${colorScheme}.png`), fullPage: true });
      }
    console.log(join(folder, shot.name));
  }
};

const VOICES_SECRET = 'a secret of at least thirty-two characters';

const addVoices = async ({ app: { storage }, account }: ConsoleSite): Promise<void> => {
  const prints = new VoicePrints({ storage, secret: VOICES_SECRET, auditDays: 365 });
  const by = { actor: 'command line', requestId: null };
  const embedding = Float32Array.of(1, 0);
  for (const name of ['Ada Lovelace', 'Grace Hopper', 'عمر الخيام', 'Somebody with a rather long name indeed'])
    await prints.add(account.id, { name, model: 'made', speechSeconds: 12.4, embedding, isNarrowBand: false }, by);
  await prints.recordCompared(account.id, 4, by);
};

const startWorker = (natsUrl: string, name: string): ChildProcess =>
  spawn(process.execPath, [BIN, 'worker'], {
    env: {
      ...process.env,
      NATS_URL: natsUrl,
      PORT: '0',
      FAIRCOPY_MODELS: 'svc-1.0-lite',
      FAIRCOPY_RECOGNISERS: '1',
      FAIRCOPY_NODE_NAME: name,
    },
    stdio: 'ignore',
  });

const withSite = async (env: Record<string, string>, work: (site: ConsoleSite) => Promise<void>): Promise<void> => {
  const site = await startConsoleSite({ FAIRCOPY_VOICES_SECRET: VOICES_SECRET, ...env });
  await work(site).finally(() => site.close());
};

const [folder = 'screenshots', ...wanted] = process.argv.slice(2);
const nats = natsAbsence === false ? await startOwnNats() : null;
const names = ['speech-worker-1', 'speech-worker-2.gpu.rack-14.example.org'];
const workers = nats ? names.map((name) => startWorker(nats.url, name)) : [];
try {
  await withSite(nats ? { NATS_URL: nats.url, FAIRCOPY_NODE_NAME: 'gateway-1' } : {}, async (site) => {
    await fillWithLargeData(site.app.storage, site.account);
    await addVoices(site);
    await takeScreenshots(site, join(folder, 'full'), wanted);
  });
} finally {
  for (const worker of workers) worker.kill();
  await nats?.close();
}
await withSite({ FAIRCOPY_JOBS: 'true', FAIRCOPY_PRICES: 'EUR 0.36' }, async (site) => {
  await fillWithSomeData(site.app.storage, site.account.id);
  await takeScreenshots(site, join(folder, 'some'), wanted);
});
await withSite({ FAIRCOPY_JOBS: 'true' }, (site) => takeScreenshots(site, join(folder, 'empty'), wanted));
