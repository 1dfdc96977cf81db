import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import { joined, quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { type Service, startService } from '../http/service.ts';
import { BIN } from './run-cli.ts';

const FIRST = story(12);
const SECOND = story(4, 12);
const PAUSE = quiet(1.5);

const listenLive = ({ url, key }: Pick<Service, 'url' | 'key'>, ...args: string[]) => {
  const env = { ...process.env, FAIRCOPY_URL: url, FAIRCOPY_API_KEY: key };
  return spawn(process.execPath, [BIN, 'listen', '--live', ...args], { env, timeout: 60_000 });
};

test('listen --live prints each utterance when it is final, and no interim', async (t) => {
  const service = await startService(t);
  const child = listenLive(service);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const errors = text(child.stderr);
  child.stdin.write(pcm16Bytes(joined(spoken(FIRST), PAUSE)));
  // Printed while the pipe is open.
  assert.equal((await lines.next()).value, FIRST.join(' '));
  child.stdin.end(pcm16Bytes(spoken(SECOND)));
  assert.equal((await lines.next()).value, SECOND.join(' '));
  assert.equal((await lines.next()).done, true);
  const [code] = await once(child, 'close');
  assert.equal(code, 0);
  assert.equal(await errors, '');
});

test('listen --live --json prints every event, including interims', async (t) => {
  const service = await startService(t);
  const child = listenLive(service, '--json');
  const lines = createInterface({ input: child.stdout });
  const events: { type: string; text?: string }[] = [];
  lines.on('line', (line) => events.push(JSON.parse(line)));
  // The rest is sent only after an interim of the beginning has arrived.
  child.stdin.write(pcm16Bytes(spoken(FIRST)));
  while (!events.some(({ type }) => type === 'interim')) await once(lines, 'line');
  child.stdin.end(pcm16Bytes(PAUSE));
  const [code] = await once(child, 'close');
  assert.equal(code, 0);
  const interim = events.find(({ type }) => type === 'interim')!;
  assert.ok(FIRST.join(' ').startsWith(interim.text!), interim.text);
  const finals = events.filter(({ type, text: said }) => type === 'final' && said !== '');
  assert.deepEqual(
    finals.map(({ text: said }) => said),
    [FIRST.join(' ')],
  );
  assert.ok(events.indexOf(interim) < events.indexOf(finals[0]!));
});

test('listen --live reports an invalid key and a pipe without audio', async (t) => {
  const service = await startService(t);
  const refused = listenLive({ url: service.url, key: 'fc_none' });
  refused.stdin.on('error', () => undefined);
  refused.stdin.end(pcm16Bytes(spoken(FIRST)));
  const [said, [code]] = await Promise.all([text(refused.stderr), once(refused, 'close')]);
  assert.notEqual(code, 0);
  assert.notEqual(said, '');
  const silent = listenLive(service);
  silent.stdin.end();
  const [nothing, [dataError]] = await Promise.all([text(silent.stderr), once(silent, 'close')]);
  assert.match(nothing, /There was no audio/);
  assert.equal(dataError, 65);
});

test('listen --live prints what was heard and why the server ended the stream', async (t) => {
  const service = await startService(t, { config: { maxStreamSeconds: 10 } });
  const child = listenLive(service);
  child.stdin.on('error', () => undefined);
  const speech = pcm16Bytes(joined(spoken(FIRST), PAUSE));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const errors = text(child.stderr);
  const closed = once(child, 'close');
  child.stdin.write(speech);
  assert.equal((await lines.next()).value, FIRST.join(' '));
  child.stdin.write(Buffer.alloc(10 * 32_000));
  const [code] = await closed;
  assert.match(await errors, /^The server ended the stream: A stream may hold 10 seconds/);
  assert.equal(code, 69);
});
