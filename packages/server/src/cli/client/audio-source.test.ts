import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import test, { type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openMicrophone, openPipe } from './audio-source.ts';
import { FormatFault } from './wav-header.ts';

const FORMAT = { sampleRateHz: 16_000, channels: 1 } as const;

/** A PATH with only these programs, during the test. */
const programs = async (t: TestContext, scripts: Record<string, string>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'faircopy-path-'));
  for (const [name, body] of Object.entries(scripts)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  }
  const before = process.env.PATH;
  process.env.PATH = folder;
  t.after(async () => {
    process.env.PATH = before;
    await rm(folder, { recursive: true, force: true });
  });
};
const all = async (audio: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of audio) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

test('the first recorder that is installed is used, with the format', async (t) => {
  await programs(t, { rec: 'echo "$@"', ffmpeg: 'echo not this one' });
  const { kind, audio } = await openMicrophone(FORMAT);
  assert.equal(kind, 'microphone');
  assert.match(await all(audio), /-r 16000 -c 1/);
});

test('stopping ends the recorder', async (t) => {
  await programs(t, { arecord: 'trap "exit 0" INT; echo heard; while :; do /bin/sleep 0.05; done' });
  const microphone = await openMicrophone(FORMAT);
  const heard: string[] = [];
  for await (const chunk of microphone.audio) {
    heard.push(chunk.toString());
    microphone.stop();
  }
  assert.deepEqual(heard, ['heard\n']);
});

test('without a recorder, the message names the recorders to install', async (t) => {
  await programs(t, {});
  await assert.rejects(openMicrophone(FORMAT), (thrown: Error) => {
    assert.ok(thrown instanceof FormatFault);
    assert.match(thrown.message, /arecord, rec, ffmpeg/);
    return true;
  });
});

test('a pipe is raw audio unless it begins like a wav file, in chunks of any size', async () => {
  const raw = await openPipe(Readable.from([Buffer.from('R'), Buffer.from('IFLE shots')]), FORMAT);
  assert.equal(await all(raw.audio), 'RIFLE shots');
  const header = Buffer.from(
    'RIFF____WAVEfmt \x10\0\0\0\x01\0\x02\0\x40\x1f\0\0\0\x7d\0\0\x04\0\x10\0data____',
    'latin1',
  );
  const bytes = Buffer.concat([header, Buffer.from('audio')]);
  const wav = await openPipe(Readable.from([...bytes].map((byte) => Buffer.from([byte]))), FORMAT);
  assert.deepEqual(wav.format, { sampleRateHz: 8000, channels: 2 });
  assert.equal(await all(wav.audio), 'audio');
  const nothing = await openPipe(Readable.from([]), FORMAT);
  assert.equal(await all(nothing.audio), '');
});

test('stopping a pipe ends its audio', async () => {
  const input = new Readable({ read: () => undefined });
  input.push('so far');
  const pipe = await openPipe(input, FORMAT);
  const heard: string[] = [];
  for await (const chunk of pipe.audio) {
    heard.push(chunk.toString());
    pipe.stop();
  }
  assert.deepEqual(heard, ['so far']);
});

test('a pipe that waits for its next audio is stopped', async () => {
  const input = new PassThrough();
  input.write('so far');
  const open = await openPipe(input, FORMAT);
  const chunks = open.audio[Symbol.asyncIterator]();
  assert.equal((await chunks.next()).value.toString(), 'so far');
  const waiting = chunks.next();
  open.stop();
  assert.equal((await waiting).done, true);
});

test('audio that was read is not kept in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const input = new PassThrough();
  input.write('head of raw audio');
  const { audio, stop } = await openPipe(input, FORMAT);
  const chunks = audio[Symbol.asyncIterator]();
  await chunks.next();
  const read: WeakRef<Buffer>[] = [];
  for (let count = 0; count < 20; count += 1) {
    input.write(Buffer.alloc(1_000));
    read.push(new WeakRef((await chunks.next()).value));
  }
  const kept = () => read.filter((chunk) => chunk.deref() !== undefined).length;
  // The last ones may be on the stack or in the stream.
  for (let round = 0; round < 50 && kept() > 5; round += 1) {
    // Whatever was looked at stays until the next turn.
    await turn();
    collectGarbage();
  }
  assert.ok(kept() <= 5, `${kept()} of ${read.length} chunks are in memory`);
  stop();
});
