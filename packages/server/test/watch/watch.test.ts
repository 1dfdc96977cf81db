// `faircopy watch` on a folder: each recording is transcribed once and completely, whatever happens to the folder.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { createServer, connect as openConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, type TestContext, test } from 'node:test';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { runCliWith } from '../cli/run-cli.ts';
import { wavOf } from '../http/forms.ts';
import { sharedService } from '../http/service.ts';
import { until, WatchProcess } from './watch-process.ts';

const FAST = ['--settle', '0.5', '--interval', '0.1', '--model', 'svc-1.0-lite'];

suite('watch', () => {
  const base = mkdtempSync(join(tmpdir(), 'faircopy-watch-'));
  const service = sharedService();
  let next = 0;

  after(() => rmSync(base, { recursive: true, force: true }));

  /** A recording with words that no other recording has. */
  const clip = () => {
    next += 1;
    const words = [...story(2, next), ...story(1, next * 3 + 1)];
    return { text: `${words.join(' ')}\n`, wav: wavOf(spoken(words)) };
  };
  const folders = () => {
    const folder = mkdtempSync(join(base, 'case-'));
    const [inbox, out] = [join(folder, 'in'), join(folder, 'out')];
    mkdirSync(inbox);
    return { folder, inbox, out };
  };
  const target = (url = service().url, key = service().key) => ({ url, key, cache: join(base, 'cache') });
  const watch = (t: TestContext, ...args: string[]): WatchProcess => {
    const watcher = new WatchProcess(target(), [...args, ...FAST]);
    t.after(() => watcher.stop('SIGKILL'));
    return watcher;
  };
  const has = (path: string) => until(path, () => existsSync(path));
  const textOf = (path: string) => readFileSync(path, 'utf8');
  const visible = (folder: string) =>
    (readdirSync(folder, { recursive: true }) as string[]).filter((name) => !/(^|\/)\./.test(name)).sort();
  const billed = async () => (await service().rows()).filter(({ billedSeconds }) => billedSeconds > 0).length;

  test('existing, arriving and growing recordings are transcribed once; a restart repeats nothing', async (t) => {
    const { inbox, out } = folders();
    const [first, second, grown] = [clip(), clip(), clip()];
    const before = await billed();
    mkdirSync(join(inbox, 'deep'));
    writeFileSync(join(inbox, 'deep', 'first.wav'), first.wav);
    writeFileSync(join(inbox, 'notes.md'), 'no recording');
    const watcher = watch(t, inbox, '-o', out);
    await has(join(out, 'deep', 'first.txt'));
    writeFileSync(join(inbox, 'second.wav'), second.wav);
    // Written in pieces, for longer than the watcher would wait for.
    const path = join(inbox, 'grown.wav');
    const pieces = 40;
    writeFileSync(path, '');
    for (let piece = 0; piece < pieces; piece += 1) {
      const from = Math.floor((grown.wav.length * piece) / pieces);
      appendFileSync(path, grown.wav.subarray(from, Math.floor((grown.wav.length * (piece + 1)) / pieces)));
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    await Promise.all([has(join(out, 'second.txt')), has(join(out, 'grown.txt'))]);
    await until('three lines', () => watcher.stdout.split('\n').length === 4);
    assert.equal(await watcher.stop(), 0, watcher.stderr);
    assert.deepEqual(
      ['deep/first.txt', 'second.txt', 'grown.txt'].map((name) => textOf(join(out, name))),
      [first.text, second.text, grown.text],
    );
    assert.equal(await billed(), before + 3);

    // Removed by a consumer of the transcripts.
    rmSync(join(out, 'second.txt'));
    const again = watch(t, inbox, '-o', out);
    await again.says(/Watching/);
    const last = clip();
    writeFileSync(join(inbox, 'last.wav'), last.wav);
    await has(join(out, 'last.txt'));
    assert.equal(await again.stop('SIGINT'), 0);
    assert.equal(await billed(), before + 4);
    assert.deepEqual(visible(out), ['deep', 'deep/first.txt', 'grown.txt', 'last.txt']);
    // `faircopy transcribe` also knows where the transcripts came from.
    const once = await runCliWith(
      { env: { FAIRCOPY_URL: service().url, FAIRCOPY_API_KEY: service().key } },
      ...['transcribe', join(inbox, 'last.wav'), '-o', out],
    );
    assert.match(once.stderr, /0 written, 1 skipped/);
  });

  test('names: nothing is overwritten, a renamed recording is known, a changed one is transcribed again', async (t) => {
    const { inbox, out } = folders();
    const [one, two, three] = [clip(), clip(), clip()];
    mkdirSync(out);
    writeFileSync(join(out, 'a.txt'), 'mine\n');
    writeFileSync(join(inbox, 'a.wav'), one.wav);
    const before = await billed();
    const watcher = watch(t, inbox, '-o', out);
    await has(join(out, 'a.wav.txt'));
    assert.equal(textOf(join(out, 'a.txt')), 'mine\n');
    renameSync(join(inbox, 'a.wav'), join(inbox, 'b.wav'));
    await watcher.says(/b\.wav: It was transcribed before, to .*a\.wav\.txt\./);
    writeFileSync(join(inbox, 'c.wav'), two.wav);
    await has(join(out, 'c.txt'));
    writeFileSync(join(inbox, 'c.wave'), three.wav);
    await has(join(out, 'c.wave.txt'));
    const changed = clip();
    writeFileSync(join(inbox, 'c.wav'), changed.wav);
    await until('the changed one', () => textOf(join(out, 'c.txt')) === changed.text);
    assert.equal(await watcher.stop(), 0);
    assert.deepEqual(visible(out), ['a.txt', 'a.wav.txt', 'c.txt', 'c.wave.txt']);
    assert.equal(textOf(join(out, 'a.wav.txt')), one.text);
    assert.equal(await billed(), before + 4);
  });

  test('one watcher per output, even after a kill; without -o, transcripts are beside the recordings', async (t) => {
    const { inbox } = folders();
    const watcher = watch(t, inbox);
    await watcher.says(/Watching/);
    const second = watch(t, inbox);
    assert.equal(await second.ended(), 69);
    assert.match(second.stderr, /Another "faircopy watch" writes to /);
    await watcher.stop('SIGKILL');
    const { text, wav } = clip();
    writeFileSync(join(inbox, 'x.wav'), wav);
    const third = watch(t, inbox, '--format', 'vtt', '--tag', 'calls', '--redact', 'pci,phone');
    await has(join(inbox, 'x.vtt'));
    assert.match(textOf(join(inbox, 'x.vtt')), /^WEBVTT\n/);
    assert.ok(text.split(' ').every((word) => textOf(join(inbox, 'x.vtt')).includes(word.trim())));
    assert.equal(await third.stop(), 0);
    const answer = await fetch(`${service().url}/v1/usage?tag=calls`, {
      headers: { authorization: `Token ${service().key}` },
    });
    assert.match(await answer.text(), /"tags":\["calls"\]/);
  });

  test('problems are reported once, and the rest continues', async (t) => {
    const { inbox, out } = folders();
    execFileSync('mkfifo', [join(inbox, 'pipe.wav')]);
    writeFileSync(join(inbox, 'bad.wav'), 'not audio at all');
    const good = clip();
    writeFileSync(join(inbox, 'good.wav'), good.wav);
    const watcher = watch(t, inbox, '-o', out);
    await watcher.says(/pipe\.wav: It is not a regular file, so it is skipped\./);
    await watcher.says(/bad\.wav: .*request [0-9A-Z]{26}/);
    await has(join(out, 'good.txt'));
    renameSync(inbox, `${inbox}-away`);
    await watcher.says(/in: There is no such file or folder\. Retrying until it can be read\./);
    const late = clip();
    writeFileSync(join(`${inbox}-away`, 'late.wav'), late.wav);
    renameSync(`${inbox}-away`, inbox);
    await watcher.says(/in: It can be read again\./);
    await has(join(out, 'late.txt'));
    assert.equal(await watcher.stop(), 0);
    assert.deepEqual(visible(out), ['good.txt', 'late.txt']);
    assert.equal(watcher.stderr.match(/pipe\.wav/g)?.length, 1, watcher.stderr);
    assert.equal(watcher.stderr.match(/bad\.wav/g)?.length, 1, watcher.stderr);
  });

  test('the watcher waits for a server that cannot be reached', async (t) => {
    const { inbox, out } = folders();
    let isUp = false;
    const open = new Set<Socket>();
    const proxy = createServer((socket) => {
      open.add(socket.on('error', () => undefined));
      if (!isUp) return socket.destroy();
      const onward = openConnection(service().port, '127.0.0.1').on('error', () => socket.destroy());
      open.add(onward);
      return socket.pipe(onward).pipe(socket);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      for (const socket of open) socket.destroy();
      proxy.close();
    });
    const { port } = proxy.address() as { port: number };
    const { text, wav } = clip();
    writeFileSync(join(inbox, 'a.wav'), wav);
    const watcher = new WatchProcess(target(`http://127.0.0.1:${port}`), [inbox, '-o', out, ...FAST]);
    t.after(() => watcher.stop('SIGKILL'));
    await watcher.says(/a\.wav: .*did not answer.* Next attempt in \d+ s\./);
    isUp = true;
    await has(join(out, 'a.txt'));
    assert.equal(textOf(join(out, 'a.txt')), text);
    assert.equal(await watcher.stop(), 0);
  });

  test('killed after the bill and before the answer: the next watcher gets the answer, and no second bill', async (t) => {
    const { inbox, out } = folders();
    const open = new Set<Socket>();
    // Forwards requests to the server, but no answers back.
    const mute = createServer((socket) => {
      const onward = openConnection(service().port, '127.0.0.1').on('error', () => undefined);
      open.add(socket.on('error', () => undefined)).add(onward);
      socket.pipe(onward).resume();
    });
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      for (const socket of open) socket.destroy();
      mute.close();
    });
    const { port } = mute.address() as { port: number };
    const { text, wav } = clip();
    writeFileSync(join(inbox, 'a.wav'), wav);
    const before = await billed();
    const first = new WatchProcess(target(`http://127.0.0.1:${port}`), [inbox, '-o', out, ...FAST]);
    t.after(() => first.stop('SIGKILL'));
    await until('the bill', async () => (await billed()) === before + 1);
    await first.stop('SIGKILL');
    const second = watch(t, inbox, '-o', out);
    await has(join(out, 'a.txt'));
    assert.equal(await second.stop(), 0);
    assert.equal(textOf(join(out, 'a.txt')), text);
    assert.equal(await billed(), before + 1);
  });

  test('the watcher waits while the disk is full, and sends nothing meanwhile', async (t) => {
    const { inbox, out } = folders();
    mkdirSync(out);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', out], { stdio: 'ignore' });
    } catch {
      return t.skip('mounting is not permitted here');
    }
    t.after(() => execFileSync('umount', ['-l', out], { stdio: 'ignore' }));
    const watcher = watch(t, inbox, '-o', out);
    await watcher.says(/Watching/);
    const { bavail, bsize } = statfsSync(out);
    writeFileSync(join(out, 'ballast'), Buffer.alloc(bavail * bsize));
    const before = (await service().rows()).length;
    const { text, wav } = clip();
    writeFileSync(join(inbox, 'a.wav'), wav);
    await watcher.says(/a\.wav: The disk is full\. Next attempt in \d+ s\./);
    assert.equal((await service().rows()).length, before);
    rmSync(join(out, 'ballast'));
    await has(join(out, 'a.txt'));
    assert.equal(textOf(join(out, 'a.txt')), text);
    assert.equal(await watcher.stop(), 0);
  });

  test('a signal lets the recording in progress finish; a second one does not wait', async (t) => {
    const { inbox, out } = folders();
    const { text, wav } = clip();
    writeFileSync(join(inbox, 'a.wav'), wav);
    service().engine.hold();
    t.after(() => service().engine.release());
    const running = () => service().engine.running > 0;
    const watcher = watch(t, inbox, '-o', out);
    await service().engine.until(running);
    watcher.signal('SIGTERM');
    await watcher.says(/Stopping when the recordings in progress are done/);
    watcher.signal('SIGTERM');
    assert.equal(await watcher.ended(), 1);
    assert.ok(!existsSync(join(out, 'a.txt')));
    const again = watch(t, inbox, '-o', out);
    await service().engine.until(running);
    again.signal('SIGTERM');
    await again.says(/Stopping when/);
    service().engine.release();
    assert.equal(await again.ended(), 0);
    assert.equal(textOf(join(out, 'a.txt')), text);
  });

  test('a wrong call is reported', async () => {
    const { folder, inbox } = folders();
    const run = (...args: string[]) =>
      runCliWith({ env: { FAIRCOPY_URL: service().url, FAIRCOPY_API_KEY: service().key } }, 'watch', ...args);
    const absent = await run(join(folder, 'absent'));
    assert.equal(absent.code, 65);
    assert.match(absent.stderr, /absent: There is no such file or folder\.\n$/);
    assert.ok(!existsSync(join(folder, 'absent')));
    const redact = await run(inbox, '--redact', 'names');
    assert.equal(redact.code, 64);
    assert.match(redact.stderr, /It may name pci, ssn/);
    const languages = await run(inbox, '--languages', 'de,klingon');
    assert.equal(languages.code, 64);
    assert.match(languages.stderr, /"klingon" is not one of af, am/);
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    const onto = await run(inbox, '-o', file);
    assert.equal(onto.code, 65);
    assert.match(onto.stderr, /a-file: There is a file where a folder is needed\.\n$/);
    assert.equal((await run(inbox, '--settle', 'soon')).code, 64);
  });
});
