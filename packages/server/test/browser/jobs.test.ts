// Jobs that are sent from the console, and code samples that are run as pasted, in a browser.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { BIN } from '../cli/run-cli.ts';
import { browserAbsence } from './browser.ts';
import { type ConsoleSite, startConsoleSite, WRITTEN } from './console-site.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));

suite('jobs and samples in a browser', { skip: browserAbsence }, () => {
  let site: ConsoleSite;
  let page: Page;
  let key: string;
  /** Where samples run: below the packages, so that imports of them resolve, with vendors' packages linked in. */
  let folder: string;

  before(async () => {
    site = await startConsoleSite({ FAIRCOPY_JOBS: 'true', FAIRCOPY_PRICES: 'EUR 0.36' });
    page = site.page;
    await page.setViewportSize({ width: 1280, height: 900 });
    ({ key } = await createKey(site.app.storage, { accountId: site.account.id, name: 'laptop', createdBy: null }));
    folder = await mkdtemp(fileURLToPath(new URL('./samples-', import.meta.url)));
    await mkdir(join(folder, 'node_modules/@deepgram'), { recursive: true });
    await symlink(join(ROOT, 'node_modules/openai-6'), join(folder, 'node_modules/openai'));
    await symlink(join(ROOT, 'node_modules/deepgram-5'), join(folder, 'node_modules/@deepgram/sdk'));
    await copyFile(site.clip, join(folder, 'my clip.wav'));
  });
  after(async () => {
    await site?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const shell = async (command: string): Promise<string> => {
    const env = { ...process.env, FAIRCOPY_API_KEY: key };
    return (await run('bash', ['-c', command], { cwd: folder, env })).stdout;
  };
  const rows = () => page.getByTestId('jobs').locator('tr.record');
  const download = async (format: string): Promise<string> => {
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: format, exact: true }).click(),
    ]);
    assert.equal(saved.suggestedFilename(), `my clip.${format}`);
    return readFile(await saved.path(), 'utf8');
  };

  test('a file is sent as a job; its row shows name, length, cost and key, and its text can be read and saved', async () => {
    await site.open('jobs');
    await page.getByText('No jobs yet').waitFor();
    await page.getByLabel('Audio files').setInputFiles(join(folder, 'my clip.wav'));
    const row = rows().filter({ hasText: 'my clip.wav' });
    await row.getByText('Done').waitFor();
    await row.getByText('Playground').waitFor();
    await row.getByText(/^€0\.00/).waitFor();
    await row.getByText(/^\d+(\.\d+)? s$/).waitFor();
    await row.getByRole('button', { name: /^Details of/ }).click();
    assert.equal(await page.getByTestId('job-text').innerText(), WRITTEN);
    assert.equal(await download('txt'), `${WRITTEN}\n`);
    assert.match(await download('srt'), /^1\n00:00:00,/);
    assert.equal(JSON.parse(await download('json')).transcript, WRITTEN);
  });

  test('a file that is not a recording is refused with a one-line message', async () => {
    const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Minutes of the meeting') };
    await page.getByLabel('Audio files').setInputFiles(text);
    await page.locator('.recording', { hasText: 'notes.txt' }).getByText('The file is a text file').waitFor();
    await page.getByRole('button', { name: 'Remove notes.txt' }).click();
    assert.equal(await rows().count(), 1);
  });

  test('an upload that is cancelled before it begins is not sent', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/playground-key', async (route) => {
      await held;
      await route.continue();
    });
    // The page asks for a key again.
    await site.open('jobs');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
    });
    const keySent = page.waitForRequest('**/playground-key');
    await page.getByLabel('Audio files').setInputFiles(join(folder, 'my clip.wav'));
    await keySent;
    await page.getByRole('button', { name: 'Cancel my clip.wav' }).click();
    const keyReceived = page.waitForResponse('**/playground-key');
    release();
    await keyReceived;
    // A refused file shows that the queue has moved on.
    await page
      .getByLabel('Audio files')
      .setInputFiles({ name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('Minutes of the meeting') });
    await page.locator('.recording', { hasText: 'b.txt' }).getByText('The file is a text file').waitFor();
    await page.getByRole('button', { name: 'Remove b.txt' }).click();
    assert.equal(sent.filter((path) => path.endsWith('/jobs')).length, 1);
    await page.unroute('**/playground-key');
  });

  test("words are found in the texts of the user's own jobs", async () => {
    const search = page.getByRole('searchbox', { name: 'Find words in your jobs' });
    await search.fill('FAIR COPY');
    await search.press('Enter');
    await page.getByRole('list', { name: 'Matches' }).locator('mark', { hasText: 'fair copy' }).waitFor();
    await page.getByText('my clip.wav').waitFor();
    await search.fill('zebra');
    await search.press('Enter');
    await page.getByText('None of your last fifty texts contains these words').waitFor();
    await search.fill('');
    await rows().first().waitFor();
  });

  test('the example works as pasted, and only its key opens the result', async () => {
    await page.getByText('Send jobs from a program').click();
    const { job } = JSON.parse(await shell(await page.getByRole('region', { name: 'How to send a job' }).innerText()));
    assert.equal(job.state, 'waiting');
    await page.getByRole('button', { name: 'Refresh' }).click();
    const row = rows().filter({ hasText: 'laptop' });
    await row.getByText('Done').waitFor();
    await row.getByRole('button', { name: /^Details of/ }).click();
    const field = page.getByLabel('Key “laptop”');
    await field.fill('fc_wrong');
    await page.getByRole('button', { name: 'Show text' }).click();
    await page.getByRole('alert').waitFor();
    await field.fill(key);
    await page.getByRole('button', { name: 'Show text' }).click();
    await page.getByTestId('job-text').waitFor();
  });

  test('another person sees the job but not its text', async () => {
    const [sent] = await site.app.storage.read
      .selectFrom('jobs')
      .innerJoin('api_keys', 'api_keys.id', 'jobs.key_id')
      .select('jobs.id')
      .where('api_keys.name', '=', 'Playground')
      .execute();
    const address = `${site.url}/console/api/accounts/${site.account.id}/jobs/${sent!.id}`;
    const ask = async () => (await page.request.get(address)).json() as Promise<{ answer?: object }>;
    assert.ok((await ask()).answer);
    const { storage } = site.app;
    const own = await storage.read.selectFrom('people').select('id').executeTakeFirstOrThrow();
    await storage.write.updateTable('api_keys').set({ person_id: null }).where('name', '=', 'Playground').execute();
    assert.equal((await ask()).answer, undefined);
    await storage.write.updateTable('api_keys').set({ person_id: own.id }).where('name', '=', 'Playground').execute();
  });

  test('the samples of a recording run as pasted', async () => {
    await site.open('playground');
    await page.getByLabel('Audio files').setInputFiles(join(folder, 'my clip.wav'));
    await page.getByTestId('transcript').waitFor();
    await page.getByText('With the options used for my clip.wav.').waitFor();
    const sample = async (name: string): Promise<string> => {
      await page.getByRole('tab', { name, exact: true }).click();
      return page.getByRole('region', { name: 'Sample' }).innerText();
    };
    // The scripted engine returns the words of the clip unless the request asks for word times.
    const heard = /^(?:Apple harbour orchard|So I talked to the people) /;
    assert.match(JSON.parse(await shell(await sample('curl'))).result.transcript, heard);
    for (const [at, name] of ['JavaScript', 'OpenAI SDK', 'Deepgram SDK'].entries()) {
      await writeFile(join(folder, `${at}.mjs`), await sample(name));
      assert.match(await shell(`"${process.execPath}" ${at}.mjs`), heard, name);
    }
    const command = (await sample('CLI')).replace(/^npx faircopy/, `"${process.execPath}" "${BIN}"`);
    assert.match(await shell(command), heard);
    assert.match(await sample('Python'), /files=\{'audio': audio\}/);
  });

  test('messages for a blocked or missing microphone and for http say what to do', async () => {
    const denied = await site.newSession({ storageState: await site.context.storageState() });
    const expectError = async (setUp: string, message: RegExp) => {
      await denied.addInitScript(setUp);
      await site.open('playground', denied);
      for (const [input, start] of [
        ['Record', 'Record'],
        ['Speak live', 'Start speaking'],
      ] as const) {
        await denied.getByRole('tab', { name: input }).click();
        await denied.getByRole('button', { name: start, exact: true }).click();
        await denied.getByText(message).waitFor();
      }
    };
    const failing = (name: string) =>
      `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', '${name}'))`;
    await expectError(failing('NotAllowedError'), /blocks the microphone for this page. Allow it/);
    await expectError(failing('NotFoundError'), /No microphone was found. Connect one/);
    await expectError(
      `Object.defineProperty(navigator, 'mediaDevices', { value: undefined });
       Object.defineProperty(window, 'isSecureContext', { value: false });`,
      /only on https pages and on localhost.*open it with https/,
    );
    await denied.context().close();
  });

  test('no page threw an error or violated the content security policy', () => {
    assert.deepEqual(site.problems, []);
  });
});
