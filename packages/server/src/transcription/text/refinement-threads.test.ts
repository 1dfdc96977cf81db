import assert from 'node:assert/strict';
import test from 'node:test';
import type { RefineInput } from '../../refine/refiner.ts';
import { RefinementThreads, serviceRefiner } from './refinement-threads.ts';

const input = (...texts: string[]): RefineInput => ({
  pieces: texts.map((text, index) => ({ text, startMs: index, endMs: index + 1, language: 'en', confidence: 1 })),
  language: 'en',
  vocabulary: [],
});
const never = new AbortController().signal;

const withThreads = async (use: (threads: RefinementThreads) => Promise<void>): Promise<void> => {
  const moduleUrl = new URL('../testing/misbehaving-refiner.js', import.meta.url).href;
  const threads = new RefinementThreads({ moduleUrl, settings: '> ' });
  try {
    await use(threads);
  } finally {
    await threads.close();
  }
};

test('short and long texts are refined, and their tokens counted, on threads', () =>
  withThreads(async (threads) => {
    const { refined, outputTokenCount } = await threads.run(input('hello', 'world'), never);
    assert.deepEqual([refined.text, refined.rawText, outputTokenCount], ['> hello world', 'hello world', 3]);
    const long = await threads.run(input('word '.repeat(4_000).trim()), never);
    assert.equal(long.outputTokenCount, 4_001);
  }));

test('a failing refiner rejects without quoting the text', () =>
  withThreads(async (threads) => {
    await assert.rejects(threads.run(input('throw'), never), (thrown: unknown) => !/secret/.test(String(thrown)));
  }));

test('an abort takes effect at once, and in the refiner', () =>
  withThreads(async (threads) => {
    const stop = new AbortController();
    const running = threads.run(input('wait'), stop.signal);
    stop.abort();
    await assert.rejects(running, { name: 'AbortError' });
    assert.equal((await threads.run(input('hello'), never)).refined.text, '> hello');
    await assert.rejects(threads.run(input('hello'), stop.signal), { name: 'AbortError' });
  }));

test('a thread that spins is terminated, and tasks waiting behind it run on a new one', () =>
  withThreads(async (threads) => {
    const stop = new AbortController();
    const spinning = threads.run(input('spin'), stop.signal);
    const behind = threads.run(input('hello'), never);
    stop.abort();
    await assert.rejects(spinning, { name: 'AbortError' });
    assert.equal((await behind).refined.text, '> hello');
  }));

test('a text that kills its thread is given up after a second try', () =>
  withThreads(async (threads) => {
    await assert.rejects(threads.run(input('exit'), never), { code: 'SERVICE_UNAVAILABLE' });
    assert.equal((await threads.run(input('hello'), never)).refined.text, '> hello');
  }));

test('closing settles waiting tasks', async () => {
  let waiting: Promise<unknown> | undefined;
  await withThreads(async (threads) => {
    waiting = threads.run(input('wait'), never);
    waiting.catch(() => undefined);
  });
  await assert.rejects(waiting!);
});

test('the refiner of the service runs on the threads', async () => {
  const threads = new RefinementThreads(serviceRefiner({}));
  const { refined } = await threads.run(input('um we meet on on tuesday'), never);
  assert.equal(refined.rawText, 'um we meet on on tuesday');
  assert.doesNotMatch(refined.text, /um|on on/);
  await threads.close();
});
