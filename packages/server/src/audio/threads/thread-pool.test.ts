import assert from 'node:assert/strict';
import { extname } from 'node:path';
import test from 'node:test';
import type { Thread } from './thread.ts';
import { ThreadPool } from './thread-pool.ts';
import { ThreadedDecoder } from './threaded-decoder.ts';

test('decoders are spread evenly over the threads, although each upload also has a measuring task', async (t) => {
  const script = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);
  const pool = new ThreadPool(2, { script, stallMs: 4_000 });
  t.after(() => pool.close());
  const decoders = new Map<Thread, number>();
  const input = { kind: 'upload', maxDurationSeconds: 300, formats: 'all' } as const;
  for (let upload = 0; upload < 10; upload++) {
    new ThreadedDecoder(pool.pick(), { ...input, measure: 'length' });
    const thread = pool.pick();
    decoders.set(thread, (decoders.get(thread) ?? 0) + 1);
    new ThreadedDecoder(thread, input);
  }
  assert.deepEqual([...decoders.values()].sort(), [5, 5]);
});
