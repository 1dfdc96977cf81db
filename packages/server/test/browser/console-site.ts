// The service with its console and a scripted speech engine, and Chromium signed in as the first administrator.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Account, ensureAccount } from '../../src/accounts/accounts.ts';
import { createFirstAdministratorInvitation } from '../../src/accounts/people/invitations.ts';
import { type App, createApp } from '../../src/app/app.ts';
import { parseConfig } from '../../src/app/config.ts';
import { silentLog } from '../../src/observability/log.ts';
import type { Recognition, SpeechWindow } from '../../src/speech/recogniser.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes, writeWav } from '../audio/wav-writer.ts';
import { openBrowser } from './browser.ts';

export const PASSWORD = 'a long enough one';
/** Longer than any step takes on a busy machine. */
export const TIMEOUT_MS = 60_000;

/** The text recognised in files of 8 s or more with word times. Refinement removes its disfluencies. */
export const HEARD = 'so um I talked to the the people at fair copy and it costs twenty five dollars';
export const WRITTEN = 'So I talked to the people at fair copy and it costs $25.';

export const IP_ADDRESS = '10.20.30.40';

/** A term that recognition writes instead of "people", unless it was undone as a false alarm too often. */
export const PEEBLES = 'Peebles';

/** Replaces the word "glass" with personal data. */
const saidAddress = (recognition: Recognition): Recognition => ({
  ...recognition,
  text: recognition.text.replaceAll('glass', IP_ADDRESS),
  words: recognition.words.map((word) => ({ ...word, text: word.text.replace('glass', IP_ADDRESS) })),
});

const hear = ({ samples, wantWordTimes, vocabulary }: SpeechWindow, recognition: Recognition): Recognition => {
  // Live windows and short files are recognised as their tones; a longer file is recognised as HEARD.
  if (!wantWordTimes || samples.length < 8 * 16_000) return saidAddress(recognition);
  const hasTerm = vocabulary.some(({ text, weight = 1 }) => text === PEEBLES && weight === 1);
  const heard = hasTerm ? HEARD.replace('people', PEEBLES) : HEARD;
  const words = heard.split(' ');
  const wordMs = samples.length / 16 / words.length;
  const start = heard.indexOf(PEEBLES);
  return {
    ...recognition,
    text: heard,
    words: words.map((text, at) => ({
      text,
      startMs: at * wordMs,
      endMs: (at + 0.9) * wordMs,
      confidence: /fair|copy/.test(text) ? 0.3 : 0.95,
    })),
    ...(hasTerm && { terms: [{ text: PEEBLES, instead: 'people', start, end: start + PEEBLES.length }] }),
  };
};

export interface ConsoleSite {
  readonly app: App;
  readonly url: string;
  readonly account: Account;
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly page: Page;
  /** A wav file of ten seconds. */
  readonly clip: string;
  /** Errors of the pages, and violations of the content security policy. */
  readonly problems: string[];
  /** Opens a page of the account. */
  open(page: string, on?: Page): Promise<void>;
  /** A page in a new browser context that is not signed in. */
  newSession(options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
  close(): Promise<void>;
}

export const startConsoleSite = async (env: Record<string, string> = {}): Promise<ConsoleSite> => {
  const folder = await mkdtemp(join(tmpdir(), 'faircopy-browser-'));
  const clip = join(folder, 'clip.wav');
  await writeFile(clip, writeWav(pcm16Bytes(spoken(story(28)))));
  const config = parseConfig({
    PORT: '0',
    FAIRCOPY_DATA_DIR: folder,
    FAIRCOPY_SHUTDOWN_GRACE_MS: '500',
    // Tests write jobs into the database, which a runner would process.
    FAIRCOPY_JOBS: 'false',
    ...env,
  });
  const app = await createApp(config, { log: silentLog(), engine: new ScriptedEngine({ slots: 2, answer: hear }) });
  const url = await app.listen();
  await app.warm();
  const { account } = await ensureAccount(app.storage, 'default');
  const browser = await openBrowser(clip);
  const problems: string[] = [];
  const watched = (page: Page): Page => {
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) problems.push(message.text());
    });
    return page;
  };
  const newSession = async (options: Parameters<Browser['newContext']>[0] = {}) => {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(TIMEOUT_MS);
    return watched(await context.newPage());
  };
  const page = await newSession({ permissions: ['microphone', 'clipboard-read', 'clipboard-write'] });
  const token = await createFirstAdministratorInvitation(app.storage, account.id, 'a');
  await page.goto(`${url}/console/welcome/${token}`);
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('E-mail').fill('ada@example.org');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create my sign-in' }).click();
  await page.getByRole('heading', { name: 'Playground' }).waitFor();
  return {
    app,
    url,
    account,
    browser,
    context: page.context(),
    page,
    clip,
    problems,
    newSession,
    open: async (name, on = page) => {
      await on.goto(`${url}/console/accounts/${account.id}/${name}`);
      await on.getByRole('heading', { level: 1 }).waitFor();
    },
    close: async () => {
      await browser.close();
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
