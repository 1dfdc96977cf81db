import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { FairQueue, type QueueEntry } from './fair-queue.ts';

interface Named extends QueueEntry {
  readonly name: string;
}
let made = 0;
const entry = (accountId: string, requestId: string, cost = 1, weight = 1, share = 1): Named => ({
  name: `${accountId}/${requestId}/${made++}`,
  accountId,
  requestId: `${accountId}/${requestId}`,
  cost,
  weight,
  share,
  position: 0,
  hasContext: () => true,
});
const drain = (queue: FairQueue<Named>): Named[] => {
  const taken: Named[] = [];
  for (let next = queue.take(); next; next = queue.take()) taken.push(next);
  return taken;
};

const entries = fc.array(
  fc.record({
    account: fc.constantFrom('a', 'b', 'c'),
    request: fc.constantFrom('1', '2', '3'),
    cost: fc.double({ min: 0.1, max: 20, noNaN: true }),
    weight: fc.constantFrom(1, 3, 6, 24),
  }),
  { maxLength: 60 },
);

test('every entry comes out once, and each request keeps its order', () => {
  fc.assert(
    fc.property(entries, (all) => {
      const queue = new FairQueue<Named>();
      const added = all.map(({ account, request, cost, weight }) => entry(account, request, cost, weight));
      for (const each of added) queue.add(each);
      assert.equal(queue.size, added.length);
      const taken = drain(queue);
      assert.equal(queue.size, 0);
      assert.deepEqual(taken.map(({ name }) => name).sort(), added.map(({ name }) => name).sort());
      for (const id of new Set(added.map(({ requestId }) => requestId))) {
        const of = (list: Named[]) => list.filter(({ requestId }) => requestId === id).map(({ name }) => name);
        assert.deepEqual(of(taken), of(added));
      }
    }),
  );
});

test('removed entries are gone at once, and no others are', () => {
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 5 }), (all, every) => {
      const queue = new FairQueue<Named>();
      const added = all.map(({ account, request, cost, weight }) => entry(account, request, cost, weight));
      for (const each of added) queue.add(each);
      const removed = added.filter((_, index) => index % every === 0);
      for (const each of removed) assert.equal(queue.remove(each), true);
      for (const each of removed) assert.equal(queue.remove(each), false);
      assert.deepEqual(new Set(drain(queue)), new Set(added.filter((each) => !removed.includes(each))));
    }),
  );
});

test('accounts that always have work get equal shares, however many requests each has', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0.5, max: 5, noNaN: true }), { minLength: 40, maxLength: 40 }), (costs) => {
      const queue = new FairQueue<Named>();
      costs.forEach((cost, index) => {
        queue.add(entry('few', '1', cost));
        queue.add(entry('many', String(index % 10), cost));
      });
      const served = { few: 0, many: 0 };
      for (let turn = 0; turn < 40; turn++) {
        const { accountId, cost } = queue.take()!;
        served[accountId as 'few' | 'many'] += cost;
        assert.ok(Math.abs(served.few - served.many) <= 2 * 5 + 1e-9, 'one account is far ahead');
      }
    }),
  );
});

test('heavy windows of an account go first without giving it more than its share', () => {
  const queue = new FairQueue<Named>();
  for (let count = 0; count < 40; count++) {
    queue.add(entry('lite', 'file', 1, 1));
    queue.add(entry('max', 'file', 2, 6));
  }
  const taken = Array.from({ length: 30 }, () => queue.take()!);
  assert.equal(taken[0]!.accountId, 'max');
  const served = (account: string) =>
    taken.reduce((sum, { accountId, cost }) => sum + (accountId === account ? cost : 0), 0);
  assert.ok(Math.abs(served('lite') - served('max')) <= 2, `${served('lite')} and ${served('max')}`);
});

test('an account with waiting callers gets its larger share', () => {
  const queue = new FairQueue<Named>();
  for (let count = 0; count < 80; count++) {
    queue.add(entry('file', '1'));
    queue.add(entry('live', '1', 1, 4, 4));
  }
  const taken = Array.from({ length: 50 }, () => queue.take()!.accountId);
  assert.equal(taken.filter((account) => account === 'live').length, 40);
});

test('a short clip goes before the windows of a long file, from the same or another account', () => {
  for (const accountId of ['other', 'same']) {
    const queue = new FairQueue<Named>();
    for (let window = 0; window < 20; window++) queue.add(entry('same', 'file', 15));
    for (let turn = 0; turn < 3; turn++) queue.take();
    const clip = entry(accountId, 'clip', 3);
    queue.add(clip);
    assert.equal(queue.take(), clip);
  }
});

test('heavier entries go first, but lighter ones of the same account do not starve', () => {
  const queue = new FairQueue<Named>();
  const lite = entry('a', 'lite', 1, 1);
  queue.add(lite);
  for (let count = 0; count < 12; count++) queue.add(entry('a', 'max', 1, 6));
  const order = drain(queue);
  assert.ok(order.indexOf(lite) >= 4 && order.indexOf(lite) <= 8, `lite was number ${order.indexOf(lite)}`);
});

test('an endless series of heavier and shorter newcomers does not starve a waiting entry', () => {
  const queue = new FairQueue<Named>();
  const patient = entry('patient', 'file', 20, 1);
  queue.add(patient);
  let turns = 0;
  for (; turns < 2_000; turns++) {
    queue.add(entry(`newcomer-${turns}`, 'clip', 1, 24));
    if (queue.take() === patient) break;
  }
  assert.ok(turns < 1_000, `${turns} newcomers went before`);
});

test('an account that was served a lot while alone is not penalised when others arrive', () => {
  const queue = new FairQueue<Named>();
  for (let count = 0; count < 50; count++) queue.add(entry('a', 'file', 10));
  for (let count = 0; count < 30; count++) queue.take();
  for (let count = 0; count < 4; count++) queue.add(entry('b', 'file', 10));
  const next = Array.from({ length: 8 }, () => queue.take()!.accountId);
  assert.equal(next.filter((account) => account === 'a').length, 4);
});

test('entries of a request go in order of position, whenever they arrive', () => {
  const queue = new FairQueue<Named>();
  const at = (position: number): Named => ({ ...entry('a', '1'), position });
  const [first, second, third, again] = [at(0), at(10), at(20), at(0)];
  for (const each of [third, first, second]) queue.add(each);
  assert.equal(queue.take(), first);
  queue.add(again);
  assert.deepEqual(drain(queue), [again, second, third]);
});

test('an entry with known context goes first in its request; without one, the middle entry does', () => {
  const recognised = new Set<number>();
  const queue = new FairQueue<Named>();
  const windows = Array.from({ length: 6 }, (_, index) => ({
    ...entry('a', '1'),
    hasContext: () => index === 0 || recognised.has(index - 1),
  }));
  for (const window of windows) queue.add(window);
  const next = () => windows.indexOf(queue.take() as (typeof windows)[number]);
  assert.equal(next(), 0);
  // The first is still being recognised: the second slot begins in the middle of the other five.
  assert.equal(next(), 3);
  recognised.add(3);
  assert.equal(next(), 4);
  recognised.add(0);
  assert.equal(next(), 1);
  recognised.add(4);
  assert.deepEqual([next(), next(), next()], [5, 2, -1]);
});
