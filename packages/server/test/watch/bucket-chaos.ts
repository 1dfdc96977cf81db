// Kills watchers of a bucket at random moments while objects are replaced and renamed: each gets one transcript and one
// bill.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../src/lib/seeded-random.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { wavOf } from '../http/forms.ts';
import { type Service, startService } from '../http/service.ts';
import type { ChaosOptions } from './chaos.ts';
import { killWatchers } from './killed-watchers.ts';
import { S3Server } from './s3-server.ts';
import { until, WatchProcess, type WatchTarget } from './watch-process.ts';

export interface BucketChaosReport {
  readonly kills: number;
  readonly renames: number;
  readonly replacements: number;
  readonly recordings: number;
}

const CREDENTIALS = { accessKeyId: 'AKTEST', secretAccessKey: 'secret', sessionToken: 'token', region: 'eu-test-1' };
const SETTLE_MS = 400;
const INBOX = 'calls/in/';
const OUT = 'calls/out/';
const LOCK = `${OUT}.faircopy-watch.lock`;
const ARGS = `s3://calls/in -o s3://calls/out --interval 0.05 --settle ${SETTLE_MS / 1000} --model svc-1.0-lite`.split(
  ' ',
);

/** What an object holds; replaced content need not have been transcribed. */
interface Content {
  readonly text: string;
  isReplaced: boolean;
}

export const bucketChaos = async ({ recordings, kills, seed }: ChaosOptions): Promise<BucketChaosReport> => {
  const cache = mkdtempSync(join(tmpdir(), 'faircopy-bucket-chaos-'));
  const s3 = new S3Server(CREDENTIALS);
  const closers: (() => Promise<void>)[] = [];
  try {
    const service = await startService({ after: (close) => closers.push(close) });
    const env = {
      AWS_ENDPOINT_URL: await s3.listen(),
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      AWS_SESSION_TOKEN: CREDENTIALS.sessionToken,
      AWS_REGION: CREDENTIALS.region,
    };
    const target = { url: service.url, key: service.key, cache, env };
    return await run(service, s3, target, { recordings, kills, random: seededRandom(seed) });
  } finally {
    s3.close();
    for (const close of closers) await close();
    rmSync(cache, { recursive: true, force: true });
  }
};

const run = async (
  service: Service,
  s3: S3Server,
  target: WatchTarget,
  { recordings, kills, random }: { recordings: number; kills: number; random: () => number },
): Promise<BucketChaosReport> => {
  const contents: Content[] = [];
  let [renames, replacements] = [0, 0];
  const nameOf = (index: number) =>
    `${INBOX}${random() < 0.3 ? 'deep/' : ''}r${index}-${Math.floor(random() * 1e6)}.wav`;

  const write = (name: string): Content => {
    const n = contents.length;
    const words = [...story(3, n), ...story(2, 7 * n + 3), ...story(1, Math.floor(n / 30) + 11)];
    s3.put(name, wavOf(spoken(words)));
    const content = { text: `${words.join(' ')}\n`, isReplaced: false };
    contents.push(content);
    return content;
  };

  /** Copies the object to the new name and then deletes the old one, as clients of buckets do. */
  const rename = (name: string, next: string): string => {
    s3.put(next, s3.objects.get(name)!.bytes);
    s3.objects.delete(name);
    renames += 1;
    return next;
  };

  const put = async (index: number): Promise<void> => {
    let name = nameOf(index);
    let content = write(name);
    while (random() < 0.6) {
      await pause(random() * 3 * SETTLE_MS);
      if (random() < 0.5) name = rename(name, nameOf(index));
      else {
        content.isReplaced = true;
        content = write(name);
        replacements += 1;
      }
    }
  };

  const lifeMsMax = 4 * SETTLE_MS;
  // The lock is left in place once in 20 lives: the next watcher then waits until it has expired.
  const onKilled = (life: number) => void (life % 20 !== 19 && s3.objects.delete(LOCK));
  await killWatchers({ service, target, args: ARGS, kills, recordings, random, lifeMsMax, put, onKilled });
  const last = new WatchProcess(target, ARGS);
  const texts = () => s3.names(OUT).map((name) => s3.textOf(name)!);
  const isDone = () => contents.every(({ text, isReplaced }) => isReplaced || texts().includes(text));
  try {
    // A slow machine is not a fault, but a standstill is.
    for (let count = texts().length; !isDone(); count = texts().length)
      await until(`more than ${count} transcripts`, () => texts().length > count || isDone()).catch((cause: Error) => {
        throw new Error(`${cause.message}: ${last.stderr}`);
      });
    // Renames after everything is done: nothing is written or billed again.
    for (const name of s3.names(INBOX)) rename(name, `${name}-later.wav`);
    write(`${INBOX}the-last.wav`);
    await until('the last one', isDone);
    assert.equal(await last.stop(), 0, last.stderr);
  } finally {
    await last.stop('SIGKILL');
  }
  await check(service, texts(), contents);
  assert.deepEqual(s3.faults, []);
  return { kills, renames, replacements, recordings };
};

/** Checks for one transcript and one bill per recording that was kept, and at most one per recording replaced. */
const check = async (service: Service, texts: readonly string[], contents: readonly Content[]): Promise<void> => {
  assert.equal(new Set(texts).size, texts.length, 'no transcript twice');
  const known = new Set(contents.map(({ text }) => text));
  assert.deepEqual(
    texts.filter((text) => !known.has(text)),
    [],
  );
  const bills = (await service.rows()).filter(({ billedSeconds }) => billedSeconds > 0).length;
  const kept = contents.filter(({ isReplaced }) => !isReplaced).length;
  assert.ok(bills >= kept && bills <= contents.length, `${bills} bills, ${kept} of ${contents.length} recordings kept`);
};
