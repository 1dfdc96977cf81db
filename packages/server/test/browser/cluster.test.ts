// The cluster in the console: gateways, a real worker, and a NATS outage.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { after, before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { natsAbsence, type OwnNats, startOwnNats } from '../../src/cluster/testing/own-nats.ts';
import { neededModels } from '../../src/speech/store/needed.ts';
import { storedModels } from '../../src/speech/testing/stored-models.ts';
import { BIN } from '../cli/run-cli.ts';
import { axeViolations } from './axe.ts';
import { browserAbsence } from './browser.ts';
import { type ConsoleSite, startConsoleSite } from './console-site.ts';

const TIER = 'svc-1.0-lite';
const stored = await storedModels(neededModels([TIER]));
const skip = browserAbsence || natsAbsence || ('skip' in stored && stored.skip);

suite('the cluster in a browser', { skip }, () => {
  let nats: OwnNats;
  let site: ConsoleSite;
  let page: Page;
  let worker: ChildProcess | undefined;

  before(async () => {
    nats = await startOwnNats();
    site = await startConsoleSite({ NATS_URL: nats.url, FAIRCOPY_NODE_NAME: 'gateway-1' });
    page = site.page;
    await page.goto(`${site.url}/console/administration?part=server`);
  });
  after(async () => {
    worker?.kill('SIGKILL');
    await site?.close();
    await nats?.close();
  });

  const row = (name: string) => page.getByRole('row', { name });

  test('without workers, the page explains how to start one', async () => {
    await row('gateway-1').getByText('this one').waitFor();
    await page.getByText('No workers').waitFor();
    await page.getByText('faircopy worker').waitFor();
  });

  test('a worker is listed with its load, without axe violations in both themes, wide and narrow', async () => {
    const env = { ...process.env, NATS_URL: nats.url, PORT: '0', FAIRCOPY_MODELS: TIER, FAIRCOPY_RECOGNISERS: '1' };
    worker = spawn(process.execPath, [BIN, 'worker'], {
      env: { ...env, FAIRCOPY_NODE_NAME: 'speech-1' },
      stdio: 'ignore',
    });
    await row('speech-1').getByText('Active').waitFor();
    await row('speech-1').getByText('0 of 1').waitFor();
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [390, 1280]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 844 });
        assert.deepEqual(await axeViolations(page), [], `${colorScheme} ${width}`);
      }
  });

  test('when NATS stops, the page says what to check', async () => {
    await nats.kill();
    await page.getByRole('alert').getByText('NATS is unreachable').waitFor();
    await page.getByText('Check NATS_URL and the NATS server.').waitFor();
  });

  test('no page threw an error or violated the content security policy', () => {
    assert.deepEqual(site.problems, []);
  });
});
