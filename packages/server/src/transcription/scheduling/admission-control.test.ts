import assert from 'node:assert/strict';
import test from 'node:test';
import type { AdmissionRequest } from '../transcriber.ts';
import { AdmissionControl, type Workload } from './admission-control.ts';

const SLOTS = 4;
/** A long file: even with all slots, the work of others would delay it far longer than it may wait. */
const LONG = { cost: 100, liveLoad: 0 };
const asking = (accountId: string, mode: AdmissionRequest['mode'] = 'file'): AdmissionRequest => ({
  ...({ step: 'enter', models: ['svc-1.0-pro'], waitingSecondsMax: 1e9 } as const),
  mode,
  accountId,
});
const control = () =>
  new AdmissionControl(
    { queuedAudioSecondsMax: 10_000, waitSecondsMax: 30, crowdedWaitSecondsMax: 1.5 },
    { now: () => 0, monotonicMs: () => 0 },
  );
/** A workload in which this many accounts have more work than can be done. */
const busyWith = (accounts: number, more: Record<string, number> = {}): Workload => ({
  slots: SLOTS,
  busyShare: 1,
  backlogs: new Map([
    ...Array.from({ length: accounts }, (_, nth) => [`busy ${nth}`, { cost: 100, audioSeconds: 500 }] as const),
    ...Object.entries(more).map(([accountId, cost]) => [accountId, { cost, audioSeconds: 5 * cost }] as const),
  ]),
  liveLoads: new Map(),
});

test('an account without work is admitted with one long file while there is a slot for each account', () => {
  const admission = control();
  assert.equal(admission.admit(asking('busy 0'), LONG, busyWith(3)).admitted, false);
  assert.equal(admission.admit(asking('idle'), LONG, busyWith(3)).admitted, true);
  assert.equal(admission.admit(asking('idle'), LONG, busyWith(3)).admitted, false, 'it was already admitted with one');
  assert.equal(control().admit(asking('idle'), LONG, busyWith(4)).admitted, false, 'there is no slot for a fifth');
  assert.equal(control().admit(asking('idle', 'stream'), LONG, busyWith(3)).admitted, false, 'it is a stream');
  const served = control();
  served.admit(asking('busy 0'), LONG, busyWith(3));
  served.served('idle', 5);
  assert.equal(served.admit(asking('idle'), LONG, busyWith(3)).admitted, false, 'it has had more than its share');
});

test('an account whose work is about to end is admitted with its next file', () => {
  assert.equal(control().admit(asking('ending'), LONG, busyWith(3, { ending: 1 })).admitted, true);
  assert.equal(control().admit(asking('ending'), LONG, busyWith(3, { ending: 20 })).admitted, false);
});

test('a burst may delay requests for longer than a crowd, until one is refused', () => {
  const short = { cost: 1, liveLoad: 0 };
  // On four slots, each of them delays a request of its cost by a quarter of a second.
  const shortWork = (accounts: number): Workload => ({
    slots: SLOTS,
    busyShare: 0.5,
    backlogs: new Map(Array.from({ length: accounts }, (_, nth) => [`${nth}`, { cost: 1, audioSeconds: 5 }])),
    liveLoads: new Map(),
  });
  const admits = (load: Workload, admission = control()) => admission.admit(asking('a'), short, load).admitted;
  assert.equal(admits(shortWork(5)), true);
  assert.equal(admits(shortWork(9)), true);
  assert.equal(admits({ ...shortWork(9), busyShare: 1 }), false);
  assert.equal(admits(shortWork(13)), false);
  const refusing = control();
  assert.equal(admits(shortWork(13), refusing), false);
  assert.equal(refusing.admit(asking('b'), short, shortWork(9)).admitted, false, 'one has been refused');
});
