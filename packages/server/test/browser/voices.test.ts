// Known voices in a browser: enrol with consent, list, export, delete.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { spoken } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes, writeWav } from '../audio/wav-writer.ts';
import { axeViolations } from './axe.ts';
import { browserAbsence } from './browser.ts';
import { type ConsoleSite, startConsoleSite } from './console-site.ts';

const said = (seconds: number) => ({
  name: 'ada.wav',
  mimeType: 'audio/wav',
  buffer: Buffer.from(
    writeWav(
      pcm16Bytes(
        spoken(
          Array.from({ length: seconds }, () => 'apple'),
          { wordMs: 900, pauseMs: 100 },
        ),
      ),
    ),
  ),
});

suite('voices in a browser', { skip: browserAbsence }, () => {
  let site: ConsoleSite;
  let page: Page;

  before(async () => {
    site = await startConsoleSite({ FAIRCOPY_VOICES_SECRET: 'a secret of at least thirty-two characters' });
    page = site.page;
    await page.setViewportSize({ width: 390, height: 844 });
  });
  after(() => site?.close());

  const dialog = () => page.getByRole('dialog');
  const choose = (seconds: number) => page.getByLabel('Recording of the voice').setInputFiles(said(seconds));
  const rows = () => page.getByTestId('voices').locator('tbody tr');

  test('nothing is enrolled without consent, or from two seconds of speech', async () => {
    await site.open('voices');
    await page.getByText('No voices yet').waitFor();
    await page.getByRole('button', { name: 'Enrol a person' }).click();
    await dialog().getByLabel('Name').fill('Ada');
    await choose(2);
    await dialog().getByText('Chosen: ada.wav').waitFor();
    assert.deepEqual(await axeViolations(page), []);
    await dialog().getByRole('button', { name: 'Enrol' }).click();
    const consent = dialog().getByRole('checkbox', { name: /has agreed/ });
    assert.equal(await page.locator('input[name=consent]:invalid').count(), 1);
    await consent.check();
    await dialog().getByRole('button', { name: 'Enrol' }).click();
    await dialog()
      .getByText(/At least 8 are needed/)
      .waitFor();
  });

  test('a voice is enrolled from a better recording; the name and consent stay filled in', async () => {
    await choose(10);
    assert.equal(await dialog().getByLabel('Name').inputValue(), 'Ada');
    await dialog().getByRole('button', { name: 'Enrol' }).click();
    await dialog().waitFor({ state: 'detached' });
    await rows().filter({ hasText: 'Ada' }).waitFor();
    await page.getByTestId('voice-log').getByText('Enrolled').waitFor();
    assert.deepEqual(await axeViolations(page), []);
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
    assert.ok(width <= 390, `the page is ${width} pixels wide`);
  });

  test('a voice is exported as a file, then deleted', async () => {
    const download = page.waitForEvent('download');
    await rows().getByRole('button', { name: 'Export Ada' }).click();
    const file = await download;
    assert.equal(file.suggestedFilename(), 'Ada.voice.json');
    const exported = JSON.parse(await readFile(await file.path(), 'utf8'));
    assert.equal(exported.voice.name, 'Ada');
    assert.ok(exported.print.embedding.length > 0);
    await rows().getByRole('button', { name: 'Delete Ada' }).click();
    await dialog().getByRole('button', { name: 'Delete voice' }).click();
    await page.getByText('No voices yet').waitFor();
    await page.getByTestId('voice-log').getByText('Deleted', { exact: true }).waitFor();
    assert.deepEqual(site.problems, []);
  });
});
