// A short soak test: closed streams leave nothing behind. `npm run test:soak` runs for hours.
import assert from 'node:assert/strict';
import test from 'node:test';
import { streamCycles } from './soak.ts';

test('streams that end in every way leave no slot, descriptor or timer behind', async () => {
  const figures = await streamCycles(120);
  assert.deepEqual(
    figures.filter(({ met }) => !met),
    [],
  );
});
