// The playground in a browser: files, changes, corrections, the player and live speech.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { setVocabulary } from '../../src/accounts/vocabulary/vocabulary.ts';
import { spoken } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes, writeWav } from '../audio/wav-writer.ts';
import { browserAbsence } from './browser.ts';
import { type ConsoleSite, HEARD, IP_ADDRESS, PEEBLES, startConsoleSite, WRITTEN } from './console-site.ts';

const corpus = (name: string): string => fileURLToPath(new URL(`../../../test/fuzz/corpus/${name}`, import.meta.url));

suite('the playground in a browser', { skip: browserAbsence }, () => {
  let site: ConsoleSite;
  let page: Page;

  before(async () => {
    site = await startConsoleSite({ FAIRCOPY_LONG_FILE_MB: '50' });
    page = site.page;
  });
  after(() => site?.close());

  const choose = (...files: { name: string; buffer: Buffer }[]) =>
    page.getByLabel('Audio files').setInputFiles(files.map((file) => ({ mimeType: 'audio/wav', ...file })));
  const sendClip = async () => {
    await site.open('playground');
    await choose({ name: 'clip.wav', buffer: await readFile(site.clip) });
    await page.getByTestId('transcript').waitFor();
  };
  const text = () => page.getByTestId('transcript').innerText();
  const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
  const download = async (format: string): Promise<string> => {
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: format, exact: true }).click(),
    ]);
    assert.equal(saved.suggestedFilename(), `clip.${format}`);
    return readFile(await saved.path(), 'utf8');
  };

  test('a file is refined, and raw and refined text are shown side by side', async () => {
    await sendClip();
    assert.equal(await text(), WRITTEN);
    await page.getByText('clip.wav').first().waitFor();
    await tab('Side by side');
    assert.equal(await page.getByTestId('raw-transcript').innerText(), HEARD);
    assert.equal(await text(), WRITTEN);
  });

  test('every change shows its pass and reason, and can be undone alone or with its kind', async () => {
    await tab('Changes');
    await page.getByRole('button', { name: 'the', exact: true }).click();
    const details = page.getByTestId('change-details');
    await details.getByText('Repetitions removed').waitFor();
    await details.getByText('a repeated word').waitFor();
    await details.getByRole('button', { name: 'Undo this change' }).click();
    await tab('Text');
    assert.match(await text(), /to the the people/);
    await tab('Changes');
    await page.getByLabel(/Numbers, dates and amounts/).uncheck();
    await tab('Text');
    assert.match(await text(), /to the the people .*twenty five dollars/);
  });

  test('copies and downloads include the changes', async () => {
    await page.getByRole('button', { name: 'Copy text' }).click();
    assert.match(String(await page.evaluate('navigator.clipboard.readText()')), /the the people .*twenty five dollars/);
    assert.match(await download('txt'), /the the people .*twenty five dollars/);
    assert.match(await download('srt'), /^1\n00:00:00,\d{3} --> 00:00:\d\d,\d{3}\n.*[\s\S]*twenty five/);
    assert.match(await download('vtt'), /^WEBVTT\n\n00:00:00\.\d{3} -->/);
    const json = JSON.parse(await download('json'));
    assert.equal(json.raw, HEARD);
    assert.match(json.transcript, /the the people/);
    assert.ok(json.words.length > 10 && json.words[0].end_seconds > json.words[0].start_seconds);
  });

  test('an unknown corrected word is offered for the vocabulary; a known one is not', async () => {
    await sendClip();
    const correct = async (typed: string) => {
      await tab('Correct');
      await page.getByLabel('Transcript text').fill(typed);
      await page.getByRole('button', { name: 'Apply corrections' }).click();
    };
    const offers = page.locator('.suggestions .notice-plain');
    await correct(WRITTEN.replace('talked to', 'talked of').replace('fair copy', 'Faircopy'));
    assert.match(await text(), /talked of the people at Faircopy and it costs \$25/);
    await page.getByRole('button', { name: 'Add “Faircopy”' }).waitFor();
    assert.equal(await offers.count(), 1);
    await page.getByRole('button', { name: 'No to “Faircopy”' }).click();
    await offers.waitFor({ state: 'detached' });
    await correct(WRITTEN.replace('people at fair copy', 'team of Lovelace'));
    await page.getByRole('button', { name: 'Add “team of Lovelace”' }).waitFor();
    await correct(WRITTEN.replace('people at fair copy', 'team of FairCopy'));
    await page.getByRole('button', { name: 'Add “FairCopy”' }).click();
    await page.getByText('is now in the vocabulary').waitFor();
    assert.match(await download('txt'), /FairCopy/);
    // Corrections can be undone like other changes.
    await tab('Changes');
    await page.getByLabel(/Your corrections/).uncheck();
    await tab('Text');
    assert.equal(await text(), WRITTEN);
  });

  test('the vocabulary page shows how often a term was used', async () => {
    await sendClip();
    assert.match(await text(), /people at FairCopy/);
    const uses = page.getByTestId('term-uses').getByText(/written 1 time, 1 corrected/);
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
      await site.open('vocabulary');
      await page.getByTestId('term-uses').waitFor();
      if ((await uses.count()) > 0) break;
    }
    assert.equal(await uses.count(), 1);
  });

  test('terms are marked; a false alarm is undone and counts against its term', async () => {
    await setVocabulary(site.app.storage, site.account.id, ['Faircopy', PEEBLES]);
    const panel = page.getByTestId('applied-terms');
    const row = (term: string) => panel.getByRole('listitem').filter({ hasText: term });
    const sendUntil = async (isWritten: boolean) => {
      for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
        await sendClip();
        if ((await text()).includes(PEEBLES) === isWritten) return;
      }
      assert.fail(`the transcript never ${isWritten ? 'had' : 'lost'} ${PEEBLES}`);
    };
    for (const times of ['1 false alarm', '2 false alarms']) {
      await sendUntil(true);
      await page.locator('.word.term', { hasText: PEEBLES }).waitFor();
      await page.locator('.word.term', { hasText: 'Faircopy' }).waitFor();
      assert.equal(await page.locator('.word.term').count(), 2);
      await row(PEEBLES).getByText('instead of “people”').waitFor();
      await row(PEEBLES).getByRole('button', { name: 'False alarm' }).click();
      await panel.getByText(`“${PEEBLES}” has ${times}.`).waitFor();
      await row(PEEBLES).getByText('Undone').waitFor();
      assert.equal(await text(), WRITTEN.replace('fair copy', 'Faircopy'));
      assert.equal(await page.locator('.word.term').count(), 1);
    }
    await panel.getByText('It now needs more evidence.').waitFor();
    // Changes made by refinement are undone in the same way.
    await row('Faircopy').getByRole('button', { name: 'False alarm' }).click();
    await panel.getByText('“Faircopy” has 1 false alarm.').waitFor();
    assert.equal(await text(), WRITTEN);
    // From now on the term has less weight.
    await sendUntil(false);
    await site.open('vocabulary');
    await page.getByTestId('false-alarms').getByText('2 false alarms').waitFor();
    await setVocabulary(site.app.storage, site.account.id, ['Faircopy']);
  });

  test('a click plays a word; the playing word is marked, uncertain words are shaded', async () => {
    await sendClip();
    await page.locator('.waveform rect').first().waitFor({ state: 'attached' });
    assert.ok((await page.locator('.waveform rect').count()) > 100);
    await page.locator('.word.uncertain', { hasText: 'Faircopy' }).waitFor();
    await page.locator('.word', { hasText: 'costs' }).click();
    await page.locator('.word.playing').waitFor();
    const seconds = Number(await page.evaluate('document.querySelector("audio").currentTime'));
    assert.ok(seconds > 5, `plays from ${seconds} s`);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByLabel('Position in the recording').focus();
    await page.keyboard.press('Home');
    await page.getByText(/^0:00 \//).waitFor();
  });

  test('several files at once, also in formats that the native endpoint does not accept', async () => {
    await site.open('playground');
    const files = ['voice.mp3', 'voice-stereo.m4a', 'voice.flac', 'voice.aac'];
    await choose(...(await Promise.all(files.map(async (name) => ({ name, buffer: await readFile(corpus(name)) })))));
    await page
      .locator('.recording', { hasText: 'Done' })
      .nth(files.length - 1)
      .waitFor();
    for (const name of files)
      await page
        .locator('.recording', { hasText: name })
        .getByText(/kB · .* s · Done/)
        .waitFor();
    // The sample follows the recording that is shown.
    const sample = page.getByRole('region', { name: 'Sample' });
    for (const name of ['voice.flac', 'voice.mp3']) {
      await page.locator('.recording', { hasText: name }).getByRole('button', { name: 'Show' }).click();
      await page.getByRole('region', { name: `Transcript of ${name}` }).waitFor();
      assert.match(await sample.innerText(), new RegExp(`/v1/audio/transcriptions[^]*file=@${name}`));
    }
    await page.getByRole('searchbox', { name: 'Find words in these recordings' }).fill('ZEBRA');
    await page.keyboard.press('Enter');
    await page.getByText('None of them contains these words.').waitFor();
    await choose({ name: 'clip.wav', buffer: await readFile(site.clip) });
    await page.getByRole('region', { name: 'Transcript of clip.wav' }).waitFor();
    await page.getByRole('searchbox').fill('IT COSTS');
    await page.keyboard.press('Enter');
    await page.locator('.matches mark').first().waitFor();
  });

  test('redaction is requested, and hidden words are silenced when the recording is played', async () => {
    await site.open('playground');
    await page.getByRole('combobox', { name: 'Hide' }).selectOption({ label: 'Personal data' });
    assert.match(await page.getByRole('region', { name: 'Sample' }).innerText(), /redact=pii/);
    const said = pcm16Bytes(spoken(['apple', 'bridge', 'glass', 'candle', 'desk', 'engine']));
    await choose({ name: 'address.wav', buffer: Buffer.from(writeWav(said)) });
    const hidden = page.locator('.word', { hasText: '[IP_1]' }).first();
    await hidden.waitFor();
    assert.doesNotMatch(await page.locator('main').innerText(), new RegExp(IP_ADDRESS));
    const isMuted = () => page.locator('audio').evaluate((audio) => (audio as unknown as { muted: boolean }).muted);
    const silence = page.getByRole('checkbox', { name: 'Silence hidden words' });
    assert.equal(await silence.isChecked(), true);
    const pause = 'for (const audio of document.querySelectorAll("audio")) audio.pause()';
    await hidden.click();
    await page.evaluate(pause);
    await silence.uncheck();
    assert.equal(await isMuted(), false);
    await silence.check();
    await hidden.click();
    assert.equal(await isMuted(), true);
    await page.evaluate(pause);
    await page.locator('.word', { hasText: 'engine' }).first().click();
    assert.equal(await isMuted(), false);
    await page.evaluate(pause);
  });

  test('limits are shown, and errors say what to do', async () => {
    await site.open('playground');
    await page.getByText('Up to 4 h and 50 MB each').waitFor();
    await choose({ name: 'notes.txt', buffer: Buffer.from('Minutes of the meeting') });
    const failed = page.locator('.recording', { hasText: 'notes.txt' });
    await failed.getByText('The file is a text file').waitFor();
    assert.ok((await failed.boundingBox())!.height < 60, 'one line');
    assert.equal(await page.getByText('Convert other files first').count(), 0);
    await failed.getByRole('button', { name: 'What to do about notes.txt' }).click();
    await page.getByText('Convert other files first').waitFor();
    assert.doesNotMatch(await page.locator('main').innerText(), /AUDIO_FORMAT_UNSUPPORTED/);
    await page.getByRole('button', { name: 'Remove notes.txt' }).click();
    await choose(...[1, 2, 3, 4].map((n) => ({ name: `${n}.txt`, buffer: Buffer.from('text') })));
    await page.getByText('4 files failed').click();
    await page.getByRole('list', { name: 'Failed files' }).locator('bdi', { hasText: '4.txt' }).waitFor();
    await page.getByRole('button', { name: 'Remove all failed files' }).click();
    await failed.waitFor({ state: 'detached' });
    await page.evaluate(`{
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(50 * 1024 * 1024 + 1)], 'huge.wav'));
      const input = document.querySelector('input[type=file]');
      input.files = transfer.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }`);
    await page.getByText('The file is larger than 50 MB').waitFor();
    await page.getByRole('button', { name: 'What to do about huge.wav' }).click();
    await page.getByText('Save it as mp3').waitFor();
  });

  test('an upload shows its progress and can be cancelled', async () => {
    await site.open('playground');
    // Hold the request until the test has seen the progress bar.
    await page.route('**/console/api/v1/transcribe', () => {});
    await choose({ name: 'slow.wav', buffer: await readFile(site.clip) });
    await page.locator('.recording progress').waitFor();
    await page.getByRole('button', { name: 'Cancel slow.wav' }).click();
    await page.locator('.recording').waitFor({ state: 'detached' });
    await page.unroute('**/console/api/v1/transcribe');
  });

  test('the sample can be transcribed', async () => {
    await site.open('playground');
    await page.getByRole('button', { name: 'Try a sample' }).click();
    await page.locator('.recording', { hasText: 'sample.ogg' }).getByText('Done').waitFor();
  });

  test('live: words appear while they are spoken, interim in grey and final in black', async () => {
    await site.open('playground');
    await tab('Speak live');
    assert.match(await page.locator('.code-box').last().innerText(), /faircopy\.live/);
    await page.getByRole('button', { name: 'Start speaking' }).click();
    const captions = page.getByTestId('captions');
    await captions.locator('.interim').filter({ hasText: /\w/ }).waitFor();
    await captions.locator('.final').first().waitFor();
    const colours = (await page.evaluate(
      `['.interim', '.final'].map((name) => getComputedStyle(document.querySelector('.captions ' + name)).color)`,
    )) as string[];
    assert.notEqual(colours[0], colours[1]);
    assert.ok((await captions.boundingBox())!.height > 250, 'a tall box');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByTestId('transcript').waitFor();
    assert.match(await text(), /\w+ \w+/);
    await page.locator('.waveform rect').first().waitFor({ state: 'attached' });
  });

  test('live: a muted microphone and a lost connection are reported, and what was said is kept', async () => {
    const tracks = 'globalThis.heard = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);';
    await page.addInitScript(`${tracks}
      navigator.mediaDevices.getUserMedia = async (wish) => (globalThis.media = await heard(wish));
      globalThis.sockets = [];
      globalThis.WebSocket = class extends WebSocket {
        constructor(...given) { super(...given); sockets.push(this); }
      };`);
    await site.open('playground');
    await tab('Speak live');
    await page.getByRole('button', { name: 'Start speaking' }).click();
    await page.getByTestId('captions').locator('.final').first().waitFor();
    await page.evaluate("media.getTracks()[0].dispatchEvent(new Event('mute'))");
    await page.getByText('The microphone is muted, so your speech is not transcribed.').waitFor();
    await page.evaluate("media.getTracks()[0].dispatchEvent(new Event('unmute'))");
    await page.getByText('The microphone is muted').waitFor({ state: 'hidden' });
    await page.evaluate('sockets.at(-1).close()');
    await page.getByText(/The connection was lost at \d+:\d\d. What you said later was not transcribed/).waitFor();
    await page.getByTestId('transcript').waitFor();
    assert.match(await text(), /\w+/);
  });

  test('each input has its own code sample, with a link to create a key', async () => {
    await site.open('playground');
    const sample = page.getByRole('region', { name: 'Sample' });
    assert.match(await sample.innerText(), /-F audio=@voice-note\.webm/);
    await tab('Speak live');
    assert.match(await sample.innerText(), /openMicrophone/);
    await tab('Widget');
    assert.match(await sample.innerText(), /mountCaptions/);
    await page.getByRole('link', { name: 'create a key' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
  });

  test('no page threw an error or violated the content security policy', () => {
    assert.deepEqual(site.problems, []);
  });
});
