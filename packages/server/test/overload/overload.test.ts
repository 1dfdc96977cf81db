// The short version of the overload program: what holds whatever the machine's speed. `npm run test:overload` measures.
import assert from 'node:assert/strict';
import test from 'node:test';
import { hostileContent } from './bombs.ts';
import { heldUploads, hostileUploads } from './hostile.ts';
import { signIns } from './sign-ins.ts';
import { waitingJobs } from './waiting-jobs.ts';

const unmet = (figures: Awaited<ReturnType<typeof heldUploads>>, about: RegExp) =>
  figures.filter(({ what, met }) => about.test(what) && !met);

test('an account that holds many uploads open costs its neighbour no clip', async () => {
  assert.deepEqual(unmet(await heldUploads({ uploads: 60, clips: 2 }), /refused/), []);
});

test('hostile uploads of many accounts leave memory where it is, and others are answered', async () => {
  assert.deepEqual(unmet(await hostileUploads({ uploads: 40, clips: 2 }), /memory|answered/), []);
});

test('decoding bombs and floods of realtime events leave memory where it is, and cost a neighbour no clip', async () => {
  assert.deepEqual(unmet(await hostileContent({ uploads: 6, sockets: 2, clips: 2 }), /memory|refused/), []);
});

test('waiting jobs leave memory where it is, and cost a neighbour no clip', async () => {
  assert.deepEqual(unmet(await waitingJobs({ jobs: 80, clips: 2 }), /heap|refused/), []);
});

test('a flood of sign-ins is answered, and costs nobody a clip', async () => {
  assert.deepEqual(unmet(await signIns(3), /refused|answered/), []);
});
