// Short load tests of what holds at any machine speed. `npm run test:overload` runs the full measurements.
import assert from 'node:assert/strict';
import test from 'node:test';
import { hostileContent } from './bombs.ts';
import { heldUploads, hostileUploads } from './hostile.ts';
import { signIns } from './sign-ins.ts';
import { waitingJobs } from './waiting-jobs.ts';

const unmet = (figures: Awaited<ReturnType<typeof heldUploads>>, about: RegExp) =>
  figures.filter(({ what, met }) => about.test(what) && !met);

test('no clip of a neighbour is refused while an account holds many uploads open', async () => {
  assert.deepEqual(unmet(await heldUploads({ uploads: 60, clips: 2 }), /refused/), []);
});

test('hostile uploads of many accounts do not fill the memory, and other requests are answered', async () => {
  assert.deepEqual(unmet(await hostileUploads({ uploads: 40, clips: 2 }), /memory|answered/), []);
});

test('decoding bombs and floods of realtime events do not fill the memory or cost a neighbour a clip', async () => {
  assert.deepEqual(unmet(await hostileContent({ uploads: 6, sockets: 2, clips: 2 }), /memory|refused/), []);
});

test('waiting jobs do not fill the memory or cost a neighbour a clip', async () => {
  assert.deepEqual(unmet(await waitingJobs({ jobs: 80, clips: 2 }), /heap|refused/), []);
});

test('a flood of sign-ins is answered and does not cost a neighbour a clip', async () => {
  assert.deepEqual(unmet(await signIns(3), /refused|answered/), []);
});
