// `faircopy watch` on buckets of an S3-compatible service.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, type TestContext, test } from 'node:test';
import { openBucket } from '../../src/cli/watch/bucket/bucket.ts';
import { lockBucket } from '../../src/cli/watch/bucket/bucket-lock.ts';
import { TranscriptBucket } from '../../src/cli/watch/bucket/transcript-bucket.ts';
import { AlreadyWatched } from '../../src/cli/watch/ports.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { wavOf } from '../http/forms.ts';
import { sharedService } from '../http/service.ts';
import { S3Server } from './s3-server.ts';
import { until, WatchProcess } from './watch-process.ts';

const FAST = ['--settle', '0.2', '--interval', '0.1', '--model', 'svc-1.0-lite'];
const CREDENTIALS = {
  accessKeyId: 'AKTEST',
  secretAccessKey: 's3/cr+et',
  sessionToken: 'a/b+c==',
  region: 'eu-test-1',
};
const QUICK = { renewMs: 30, leaseMs: 300, lookMs: 20 };

suite('watch a bucket', () => {
  const base = mkdtempSync(join(tmpdir(), 'faircopy-bucket-'));
  const s3 = new S3Server(CREDENTIALS);
  const service = sharedService();
  let env: Record<string, string>;
  let next = 0;

  before(async () => {
    env = {
      AWS_ENDPOINT_URL: await s3.listen(),
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      AWS_SESSION_TOKEN: CREDENTIALS.sessionToken,
      AWS_REGION: CREDENTIALS.region,
    };
    Object.assign(process.env, env);
  });
  after(() => {
    s3.close();
    rmSync(base, { recursive: true, force: true });
  });

  const clip = () => {
    next += 1;
    const words = [...story(2, next), ...story(1, next * 3 + 1)];
    return { text: `${words.join(' ')}\n`, wav: wavOf(spoken(words)) };
  };
  const watch = (t: TestContext, ...args: string[]): WatchProcess => {
    const watcher = new WatchProcess({ url: service().url, key: service().key, cache: base, env }, [...args, ...FAST]);
    t.after(() => watcher.stop('SIGKILL'));
    return watcher;
  };
  const billed = async () => (await service().rows()).filter(({ billedSeconds }) => billedSeconds > 0).length;

  test('recordings of a prefix are transcribed once, to another prefix, across restarts', async (t) => {
    const clips = Array.from({ length: 5 }, clip);
    const before = await billed();
    for (const [index, { wav }] of clips.entries()) s3.put(`calls/in/day 1/a+b & ü ${index}.wav`, wav);
    s3.put('calls/in/notes.txt', Buffer.from('no recording'));
    const args = ['s3://calls/in', '-o', 's3://calls/out/'];
    const watcher = watch(t, ...args);
    await until('five transcripts', () => s3.names('calls/out/').length === 5);
    assert.deepEqual(
      clips.map((_, index) => s3.textOf(`calls/out/day 1/a+b & ü ${index}.txt`)),
      clips.map(({ text }) => text),
    );
    // A rename, as clients of buckets do it.
    s3.put('calls/in/renamed.wav', clips[0]!.wav);
    s3.objects.delete('calls/in/day 1/a+b & ü 0.wav');
    await watcher.says(/s3:\/\/calls\/in\/renamed\.wav: It was transcribed before, to s3:\/\/calls\/out\/day 1\//);
    // The service is unavailable for a while.
    s3.isDown = true;
    await watcher.says(/s3:\/\/calls\/in: .* Retrying until it can be read\./);
    s3.isDown = false;
    const changed = clip();
    s3.put('calls/in/day 1/a+b & ü 1.wav', changed.wav);
    await until('the changed one', () => s3.textOf('calls/out/day 1/a+b & ü 1.txt') === changed.text);
    assert.equal(await watcher.stop(), 0, watcher.stderr);
    assert.ok(!s3.objects.has('calls/out/.faircopy-watch.lock'));

    // A restart repeats nothing, even when the transcripts were removed.
    for (const name of s3.names('calls/out/')) s3.objects.delete(name);
    const again = watch(t, ...args);
    await again.says(/Watching/);
    const last = clip();
    s3.put('calls/in/last.wav', last.wav);
    await until('the last one', () => s3.textOf('calls/out/last.txt') === last.text);
    assert.equal(await again.stop(), 0);
    assert.deepEqual(s3.names('calls/out/'), ['calls/out/last.txt']);
    assert.equal(await billed(), before + 7);
    assert.deepEqual(s3.faults, []);
  });

  test('to a folder; faults of a bucket are reported', async (t) => {
    const { text, wav } = clip();
    s3.put('calls/local/talk.wav', wav);
    const out = join(base, 'out');
    const watcher = watch(t, 's3://calls/local', '-o', out, '--format', 'srt', '--endpoint', env.AWS_ENDPOINT_URL!);
    await until('a transcript', () => existsSync(join(out, 'talk.srt')));
    assert.ok(readFileSync(join(out, 'talk.srt'), 'utf8').includes(text.trim().split(' ')[0]!));
    assert.equal(await watcher.stop(), 0);
    const absent = watch(t, 's3://absent/in', '-o', out);
    assert.equal(await absent.ended(), 65);
    assert.match(absent.stderr, /s3:\/\/absent\/in: NoSuchBucket/);
    const nameless = watch(t, 's3://');
    assert.equal(await nameless.ended(), 65);
    assert.match(nameless.stderr, /s3:\/\/bucket/);
  });

  test('a lock has one holder: a live one is respected, a dead one is replaced, and one that lost the lock notices', async () => {
    const bucket = openBucket('s3://calls/lock', undefined);
    const { signal } = new AbortController();
    const first = await lockBucket(bucket, signal, QUICK);
    await assert.rejects(lockBucket(bucket, signal, { ...QUICK, leaseMs: 60_000 }), AlreadyWatched);
    await first.release();
    assert.equal(s3.names('calls/lock').length, 0);
    // A holder that died left this behind.
    s3.put('calls/lock/.faircopy-watch.lock', Buffer.from('{"id":"dead"}'));
    const second = await lockBucket(bucket, signal, QUICK);
    assert.ok(!second.lost.aborted);
    s3.put('calls/lock/.faircopy-watch.lock', Buffer.from('{"id":"other"}'));
    await until('the loss', () => second.lost.aborted);
    await second.release();
    assert.equal(s3.textOf('calls/lock/.faircopy-watch.lock'), '{"id":"other"}');
    bucket.close();
  });

  test('many records are joined into one object', async () => {
    const open = () => new TranscriptBucket(openBucket('s3://calls/many', undefined));
    const output = open();
    const record = { bytes: 1, modified_ms: 2, etag: '"x"', sha256: 'ab', state: 'written' as const };
    for (let index = 0; index < 120; index += 1)
      await output.record({ ...record, output: `${index}.txt`, recording: `s3://calls/many/${index}.wav` });
    await output.record({ ...record, output: '7.txt', recording: 's3://calls/many/7.wav', state: 'released' });
    assert.equal((await output.records()).length, 119);
    const state = () => [...s3.objects.keys()].filter((name) => name.startsWith('calls/many/'));
    assert.deepEqual(state(), ['calls/many/.faircopy-transcripts/joined.jsonl']);
    await output.record({ ...record, output: '5.txt', recording: 's3://calls/many/moved.wav' });
    const records = await open().records();
    assert.equal(records.length, 119);
    assert.equal(records.find((one) => one.output === '5.txt')?.recording, 's3://calls/many/moved.wav');
    await output.close();
  });
});
