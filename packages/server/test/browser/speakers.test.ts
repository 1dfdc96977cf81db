// Speakers of a transcript in a browser: lanes, names, merging, splitting, playing one, downloads.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { joined, spoken } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes, writeWav } from '../audio/wav-writer.ts';
import { axeViolations } from './axe.ts';
import { browserAbsence } from './browser.ts';
import { type ConsoleSite, startConsoleSite } from './console-site.ts';

const said = (word: string, seconds: number): Float32Array =>
  spoken(
    Array.from({ length: seconds }, () => word),
    { wordMs: 900, pauseMs: 100 },
  );
/** Two voices, one after the other. */
const CALL = {
  name: 'call.wav',
  mimeType: 'audio/wav',
  buffer: Buffer.from(writeWav(pcm16Bytes(joined(said('apple', 6), said('quarry', 6))))),
};

suite('speakers in a browser', { skip: browserAbsence }, () => {
  let site: ConsoleSite;
  let page: Page;

  before(async () => {
    site = await startConsoleSite();
    page = site.page;
    await page.setViewportSize({ width: 390, height: 844 });
  });
  after(() => site?.close());

  const lanes = () => page.getByTestId('lane');
  const turns = () => page.locator('.turn');
  const choose = (label: string | RegExp, value: string) =>
    page.getByRole('combobox', { name: label }).first().selectOption({ label: value });
  const download = async (format: string): Promise<string> => {
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: format, exact: true }).click();
    return readFile(await (await started).path(), 'utf8');
  };

  test('each speaker has a lane and paragraphs', async () => {
    await choose('Speakers', 'Detect speakers');
    await page.getByLabel('Audio files').setInputFiles(CALL);
    await lanes().first().waitFor();
    assert.equal(await lanes().count(), 2);
    assert.equal(await turns().count(), 2);
    assert.deepEqual(await axeViolations(page), []);
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
    assert.ok(width <= 390, `the page is ${width} pixels wide`);
  });

  test('a name is edited with the keyboard, and every download contains it', async () => {
    const name = page.getByRole('textbox', { name: 'Name of Speaker 1' });
    await name.fill('Ada');
    await name.press('Enter');
    await page.getByRole('button', { name: 'Play only Ada' }).waitFor();
    assert.match(await download('txt'), /^Ada: So .*\n\nSpeaker 2: /s);
    assert.match(await download('vtt'), /<v Ada>.*<v Speaker 2>/s);
    assert.match(await download('srt'), /\nAda: .*\nSpeaker 2: /s);
    const json = JSON.parse(await download('json'));
    assert.deepEqual(
      json.paragraphs.map(({ speaker }: { speaker: string }) => speaker),
      ['Ada', 'Speaker 2'],
    );
  });

  test('speakers are merged, and the change is undone', async () => {
    await choose('Merge Speaker 2 with', 'with Ada');
    await page.waitForFunction('document.querySelectorAll("[data-testid=lane]").length === 1');
    await page.getByRole('button', { name: 'Undo change of speakers' }).click();
    await page.waitForFunction('document.querySelectorAll("[data-testid=lane]").length === 2');
    assert.equal(await page.getByRole('textbox', { name: 'Name of Ada' }).inputValue(), 'Ada');
  });

  test('a paragraph is assigned to another speaker', async () => {
    await turns().nth(1).getByRole('combobox').selectOption({ label: 'Somebody else' });
    await page.getByRole('textbox', { name: 'Name of Speaker 3' }).waitFor();
    assert.equal(await lanes().count(), 2);
  });

  test('one speaker plays alone', async () => {
    await page.getByRole('button', { name: 'Play only Speaker 3' }).click();
    await page.getByRole('button', { name: 'Stop only Speaker 3' }).waitFor();
    assert.ok(Number(await page.evaluate('document.querySelector("audio").currentTime')) > 4);
    await page.getByRole('button', { name: 'Stop only Speaker 3' }).click();
    await page.getByRole('button', { name: 'Play only Speaker 3' }).waitFor();
    assert.deepEqual(site.problems, []);
  });

  test('live captions show speakers, follow changes of speakers, and become lanes', async () => {
    await page.addInitScript(`globalThis.sockets = [];
      globalThis.WebSocket = class extends WebSocket {
        constructor(...given) {
          super(...given);
          sockets.push(this);
          this.finals = [];
          this.addEventListener('message', ({ data }) => {
            const { is_final, start, channel } = JSON.parse(data);
            if (is_final && channel.alternatives[0].transcript) this.finals.push({ start, words: channel.alternatives[0].words });
          });
        }
      };`);
    await site.open('playground');
    await choose('Speakers', 'Detect speakers');
    await page.getByRole('tab', { name: 'Speak live' }).click();
    await page.getByRole('button', { name: 'Start speaking' }).click();
    const captions = page.getByTestId('captions');
    await captions.getByText('Speaker 1', { exact: true }).first().waitFor();
    assert.match(String(await page.evaluate('sockets.at(-1).url')), /diarize=true&speaker_changes=true/);
    // The message that the server sends when later speech reveals another speaker.
    await page.evaluate(`{
      const [{ start, words }] = sockets.at(-1).finals;
      const moved = words.map((word) => ({ ...word, speaker: 4 }));
      const data = JSON.stringify({ type: 'SpeakersChanged', channel_index: [0, 1], start, duration: 1, words: moved });
      sockets.at(-1).dispatchEvent(new MessageEvent('message', { data }));
    }`);
    await captions.getByText('Speaker 5', { exact: true }).first().waitFor();
    assert.deepEqual(await axeViolations(page), []);
    await page.getByRole('button', { name: 'Stop' }).click();
    await lanes().first().waitFor();
    await page.getByRole('textbox', { name: 'Name of Speaker 5' }).waitFor();
  });
});
