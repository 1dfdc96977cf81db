// The short version of the soak: nothing is left of streams that came and went. `npm run test:soak` goes on for hours.
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
