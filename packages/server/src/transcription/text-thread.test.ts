import assert from 'node:assert/strict';
import test from 'node:test';
import type { RefineInput } from '../refine/refiner.ts';
import { serviceRefiner, TextThreads } from './text-thread.ts';

const input = (...texts: string[]): RefineInput => ({
  pieces: texts.map((text, index) => ({ text, startMs: index, endMs: index + 1, language: 'en', confidence: 1 })),
  language: 'en',
  vocabulary: [],
});
const never = new AbortController().signal;

const withThreads = async (use: (threads: TextThreads) => Promise<void>): Promise<void> => {
  const moduleUrl = new URL('./testing/text-thread-refiner.js', import.meta.url).href;
  const threads = new TextThreads({ moduleUrl, settings: '> ' });
  try {
    await use(threads);
  } finally {
    await threads.close();
  }
};

test('texts are refined and counted on a thread, short and long ones', () =>
  withThreads(async (threads) => {
    const { refined, outputTokenCount } = await threads.write(input('hello', 'world'), never);
    assert.deepEqual([refined.text, refined.rawText, outputTokenCount], ['> hello world', 'hello world', 3]);
    const long = await threads.write(input('word '.repeat(4_000).trim()), never);
    assert.equal(long.outputTokenCount, 4_001);
  }));

test('a failing refiner rejects without telling what was said', () =>
  withThreads(async (threads) => {
    await assert.rejects(threads.write(input('throw'), never), (thrown: unknown) => !/secret/.test(String(thrown)));
  }));

test('an abort is heeded at once, and by the refiner', () =>
  withThreads(async (threads) => {
    const stop = new AbortController();
    const writing = threads.write(input('wait'), stop.signal);
    stop.abort();
    await assert.rejects(writing, { name: 'AbortError' });
    assert.equal((await threads.write(input('hello'), never)).refined.text, '> hello');
    await assert.rejects(threads.write(input('hello'), stop.signal), { name: 'AbortError' });
  }));

test('a thread that spins is ended, and what waited behind it is served by a new one', () =>
  withThreads(async (threads) => {
    const stop = new AbortController();
    const spinning = threads.write(input('spin'), stop.signal);
    const behind = threads.write(input('hello'), never);
    stop.abort();
    await assert.rejects(spinning, { name: 'AbortError' });
    assert.equal((await behind).refined.text, '> hello');
  }));

test('a text that kills its thread is given up after a second try', () =>
  withThreads(async (threads) => {
    await assert.rejects(threads.write(input('exit'), never));
    assert.equal((await threads.write(input('hello'), never)).refined.text, '> hello');
  }));

test('closing settles what waits', async () => {
  let waiting: Promise<unknown> | undefined;
  await withThreads(async (threads) => {
    waiting = threads.write(input('wait'), never);
    waiting.catch(() => undefined);
  });
  await assert.rejects(waiting!);
});

test('the refiner of the service runs on the threads', async () => {
  const threads = new TextThreads(serviceRefiner({}));
  const { refined } = await threads.write(input('um we meet on on tuesday'), never);
  assert.equal(refined.rawText, 'um we meet on on tuesday');
  assert.doesNotMatch(refined.text, /um|on on/);
  await threads.close();
});
