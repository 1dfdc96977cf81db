import assert from 'node:assert/strict';
import test from 'node:test';
import { wireCodec } from '../../src/cluster/window-message.ts';
import type { Fleet } from './fleet.ts';
import type { Message } from './message-sizes.ts';
import { usePlainAborts } from './plain-abort.ts';
import { DEFAULT_PLAN, type Plan, SPEEDS } from './plan.ts';
import { readPrices } from './prices.ts';
import { report } from './report.ts';
import { type Script, simulate } from './simulate.ts';
import { BYTES_PER_SAMPLE } from './simulated-nats.ts';
import { VirtualTime } from './virtual-time.ts';

const SMALL: Plan = {
  ...DEFAULT_PLAN,
  workers: 6,
  slots: 2,
  gateways: 2,
  accounts: 5,
  streams: 40,
  fileLoad: 0.2,
  slowLinks: 0,
  seconds: 30,
  warmUpSeconds: 10,
};
const prices = readPrices(new URL('../../../test/simulate/prices.json', import.meta.url));
const loseOne: Script = ({ time, fleet, plan }) =>
  time.after(1_000 * (plan.warmUpSeconds + 10), () => fleet.fail(fleet.workers.slice(0, 1), null));

test('a simulated cluster loses a worker but no window, and a seed reproduces every figure', async () => {
  const run = async (seed: number) => {
    const done = await simulate({ ...SMALL, seed }, loseOne);
    const { windows, failedWindows, losses, refusals } = done.figures;
    assert.ok(windows > 50, `${windows} windows`);
    assert.deepEqual([failedWindows, refusals], [0, 0]);
    return { lines: report(done, { about: '', faultAfterSeconds: 10 }, prices), lost: [...losses.keys()] };
  };
  const first = await run(1);
  assert.deepEqual(first.lost, ['silent']);
  assert.deepEqual(await run(1), first);
  assert.notDeepEqual((await run(2)).lines, first.lines);
});

/** Windows per slot, by the speed of the worker. */
const windowsPerSlot = ({ workers }: Fleet) =>
  SPEEDS.map(({ speed: of }) => {
    const some = workers.filter(({ speed }) => speed === of);
    return { speed: of, windows: some.reduce((sum, { done, slots }) => sum + done / slots, 0) / some.length };
  }).filter(({ windows }) => windows > 0);

test('while slots are free, faster workers get at least their share of the windows', async () => {
  const { fleet, figures } = await simulate({ ...SMALL, workers: 8, slots: 4, streams: 80, fileLoad: 0 });
  const shares = windowsPerSlot(fleet);
  const [slow, fast] = [shares[0]!, shares.at(-1)!];
  assert.ok(figures.busyMs < 0.5 * figures.slotMs, `${figures.busyMs} of ${figures.slotMs}`);
  assert.ok(fast.windows / slow.windows > fast.speed / slow.speed, JSON.stringify(shares));
});

test('accounts that demand more than the capacity are sometimes refused, and served evenly', async () => {
  const plan: Plan = { ...SMALL, streams: 0, fileLoad: 0, filesPerAccount: 12, seconds: 60, windowSeconds: 30 };
  const { figures, fleet } = await simulate(plan);
  const shares = windowsPerSlot(fleet);
  assert.ok(shares.length > 1);
  const mean = shares.reduce((sum, { windows, speed }) => sum + windows / speed, 0) / shares.length;
  for (const { windows, speed } of shares)
    assert.ok(Math.abs(windows / speed / mean - 1) < 0.15, JSON.stringify(shares));
  assert.ok(figures.refusals > 0);
  assert.ok(figures.busyMs > 0.8 * figures.slotMs, `${figures.busyMs} of ${figures.slotMs}`);
  assert.equal(figures.byAccount.size, plan.accounts);
});

/** The serialised message, and the message that is parsed from it. */
const onTheWire = (message: Message): { readonly bytes: Uint8Array; readonly read: unknown } => {
  const { write, writeWindow, readWorkerMessage, readGatewayState, readToGateway } = wireCodec;
  if ('head' in message) {
    const bytes = writeWindow(message.head, message.window);
    return { bytes, read: readWorkerMessage(bytes) };
  }
  const bytes = write(message);
  if (message.kind === 'release') return { bytes, read: readWorkerMessage(bytes) };
  return { bytes, read: message.kind === 'gateway' ? readGatewayState(bytes) : readToGateway(bytes) };
};

const freeze = (value: unknown): void => {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
};

test('messages arrive as if parsed, have the size of serialised ones, and are never modified', async () => {
  const kinds = new Set<string>();
  const plan: Plan = { ...SMALL, filesPerAccount: 4, gateways: 3, seconds: 40, windowSeconds: 30 };
  await simulate(plan, (run) => {
    run.nats.onPublished = (message, size) => {
      const { bytes, read } = onTheWire(message);
      const samples = 'head' in message ? message.window.samples.length : 0;
      assert.equal(size, bytes.length + samples * (BYTES_PER_SAMPLE - 2), JSON.stringify(message));
      assert.deepEqual(message, read);
      freeze(message);
      kinds.add('head' in message ? 'window' : message.kind);
    };
    loseOne(run);
    run.time.after(15_000, () => run.fleet.upgrade(20));
  });
  assert.deepEqual([...kinds].sort(), ['answer', 'gateway', 'release', 'window', 'worker']);
});

test('with plain aborts, a seed gives the same figures', async () => {
  const { AbortController: nodes } = globalThis;
  const run = async () => {
    const done = await simulate(SMALL, (of) => of.time.after(15_000, () => of.fleet.upgrade(20)));
    return report(done, { about: '' }, prices);
  };
  const before = await run();
  try {
    usePlainAborts();
    assert.deepEqual(await run(), before);
  } finally {
    globalThis.AbortController = nodes;
  }
});

test('near and far events run in order, and after the promises of the previous moment', async () => {
  const time = new VirtualTime();
  const seen: string[] = [];
  const note = (what: string) => () => void seen.push(`${what} at ${time.monotonicMs()}`);
  time.after(200_000, note('far'));
  time.after(0.5, () => {
    void (async () => {
      for (let nth = 0; nth < 50; nth++) await undefined;
      note('promise')();
      time.after(0, note('same moment'));
    })();
  });
  time.after(2, note('next')).stop();
  time.after(2, note('later'));
  time.after(199_000, () => time.after(1_000, note('added later')));
  const beat = time.every(90_000, note('beat'));
  time.after(185_000, () => beat.stop());
  await time.run(300_000);
  assert.deepEqual(seen, [
    'promise at 1',
    'same moment at 1',
    'later at 2',
    'beat at 90000',
    'beat at 180000',
    'far at 200000',
    'added later at 200000',
  ]);
});
