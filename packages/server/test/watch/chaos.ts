// Kills watchers at random moments while recordings grow and are renamed: each gets one transcript and one bill.
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../src/lib/seeded-random.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { wavOf } from '../http/forms.ts';
import { type Service, startService } from '../http/service.ts';
import { killWatchers } from './killed-watchers.ts';
import { until, WatchProcess } from './watch-process.ts';

export interface ChaosOptions {
  readonly recordings: number;
  readonly kills: number;
  readonly seed: number;
}

export interface ChaosReport {
  readonly kills: number;
  readonly renames: number;
  readonly recordings: number;
  /** Recordings that paused while growing for long enough to let a watcher take them for complete. */
  readonly stalled: number;
}

const SETTLE_MS = 1_200;
const PIECES = 6;

interface Put {
  readonly text: string;
  isStalled: boolean;
}

export const chaos = async ({ recordings, kills, seed }: ChaosOptions): Promise<ChaosReport> => {
  const random = seededRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'faircopy-chaos-'));
  const closers: (() => Promise<void>)[] = [];
  try {
    const service = await startService({ after: (close) => closers.push(close) });
    return await run(service, folder, { recordings, kills, random });
  } finally {
    for (const close of closers) await close();
    rmSync(folder, { recursive: true, force: true });
  }
};

const run = async (
  service: Service,
  folder: string,
  { recordings, kills, random }: { recordings: number; kills: number; random: () => number },
): Promise<ChaosReport> => {
  const [inbox, out] = [join(folder, 'in'), join(folder, 'out')];
  mkdirSync(join(inbox, 'deep'), { recursive: true });
  const target = { url: service.url, key: service.key, cache: join(folder, 'cache') };
  const args = [
    inbox,
    '-o',
    out,
    '--interval',
    '0.05',
    '--settle',
    String(SETTLE_MS / 1000),
    '--model',
    'svc-1.0-lite',
  ];
  const puts: Put[] = [];
  let renames = 0;
  const nameOf = (index: number) => `${random() < 0.3 ? 'deep/' : ''}r${index}-${Math.floor(random() * 1e6)}.wav`;

  /** Adds a recording that grows in pieces and may be renamed at any moment. */
  const put = async (index: number): Promise<void> => {
    const words = [...story(3, index), ...story(2, 7 * index + 3), ...story(1, Math.floor(index / 30) + 11)];
    const wav = wavOf(spoken(words));
    const one: Put = { text: `${words.join(' ')}\n`, isStalled: false };
    puts.push(one);
    let name = nameOf(index);
    let touchedAtMs = performance.now();
    const rename = () => {
      const next = nameOf(index);
      renameSync(join(inbox, name), join(inbox, next));
      name = next;
      renames += 1;
    };
    for (let piece = 0; piece < PIECES; piece += 1) {
      const [from, to] = [piece, piece + 1].map((at) => Math.floor((wav.length * at) / PIECES));
      appendFileSync(join(inbox, name), wav.subarray(from, to));
      if (performance.now() - touchedAtMs > SETTLE_MS / 2) one.isStalled = true;
      touchedAtMs = performance.now();
      if (random() < 0.2) rename();
      await pause(random() * 60);
    }
    while (random() < 0.4) {
      await pause(random() * 2 * SETTLE_MS);
      rename();
    }
  };

  await killWatchers({ service, target, args, kills, recordings, random, lifeMsMax: 2 * SETTLE_MS, put });
  const last = new WatchProcess(target, args);
  try {
    await until('a transcript of every recording', () => isComplete(inbox, out)).catch((cause: Error) => {
      throw new Error(`${cause.message}: ${last.stderr}`);
    });
    // Renames after everything is done: nothing is written or billed again.
    for (const name of namesIn(inbox).filter((each) => each.endsWith('.wav')))
      renameSync(join(inbox, name), join(inbox, `${name}-later.wav`));
    await until('records of renamed recordings', () => isComplete(inbox, out));
    assert.equal(await last.stop(), 0, last.stderr);
  } finally {
    await last.stop('SIGKILL');
  }
  await check(service, out, puts);
  return { kills, renames, recordings, stalled: puts.filter(({ isStalled }) => isStalled).length };
};

const namesIn = (folder: string): string[] => readdirSync(folder, { recursive: true }) as string[];

/** Whether the logs name a transcript for each recording under its current name. */
const isComplete = (inbox: string, out: string): boolean => {
  const written = new Set<string>();
  for (const name of namesIn(out).filter((each) => each.endsWith('.jsonl')))
    for (const line of readFileSync(join(out, name), 'utf8').split('\n').filter(Boolean)) {
      // A killed watcher may leave a partial line.
      const { recording, state } = line.endsWith('}') ? JSON.parse(line) : {};
      if (state === 'written') written.add(recording);
    }
  const recordings = namesIn(inbox).filter((name) => name.endsWith('.wav'));
  return recordings.every((name) => written.has(join(inbox, name)));
};

/** Checks that each recording has one complete and correct transcript, and one bill. */
const check = async (service: Service, out: string, puts: readonly Put[]): Promise<void> => {
  const stalled = puts.filter(({ isStalled }) => isStalled).length;
  const outputs = namesIn(out).filter((name) => name.endsWith('.txt'));
  const texts = outputs.map((name) => readFileSync(join(out, name), 'utf8')).sort();
  assert.deepEqual(texts, puts.map(({ text }) => text).sort());
  const bills = (await service.rows()).filter(({ billedSeconds }) => billedSeconds > 0);
  assert.ok(bills.length >= puts.length && bills.length <= puts.length + stalled, `${bills.length} bills`);
  const leftovers = namesIn(out).filter((name) => name.endsWith('.part'));
  assert.deepEqual(leftovers, []);
};
