// Chromium with a fake microphone that plays a file.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = [
  process.env.FAIRCOPY_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const found = PLACES.find((path) => path !== undefined && path !== '' && existsSync(path));

if (!found && process.env.FAIRCOPY_REQUIRE_BROWSER)
  throw new Error('FAIRCOPY_REQUIRE_BROWSER is set, but there is no Chromium. Set FAIRCOPY_CHROMIUM to its path.');

/** Why browser tests are skipped; false if there is a browser. */
export const browserAbsence: false | string = found ? false : 'no Chromium found (set FAIRCOPY_CHROMIUM to its path)';

export const openBrowser = (microphoneFile: string): Promise<Browser> =>
  chromium.launch({
    executablePath: found ?? '',
    args: [
      // Chromium's sandbox does not work as root in containers. The tests load only local pages.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-audio-capture=${microphoneFile}%noloop`,
    ],
  });
