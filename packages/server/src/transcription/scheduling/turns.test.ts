import assert from 'node:assert/strict';
import test from 'node:test';
import { Turns } from './turns.ts';

test('a turn is due at its time, is used up by the request that comes, and only by one of its account', () => {
  const turns = new Turns();
  turns.book('a', 2, 5_000, 0);
  assert.equal(turns.due('a', 1_000), undefined);
  assert.equal(turns.due('b', 5_000), undefined);
  assert.ok(turns.due('a', 5_000));
  turns.enter('a', 2, 5_000);
  assert.equal(turns.due('a', 5_000), undefined);
});

test('a turn that is put off is there later, and once only', () => {
  const turns = new Turns();
  turns.book('a', 2, 5_000, 0);
  turns.book('a', 2, 7_000, 0);
  turns.putOff('a', 9_000, 5_000);
  assert.equal(turns.due('a', 5_000), undefined);
  assert.deepEqual(turns.due('a', 7_000), { atMs: 7_000, cost: 2 });
  turns.enter('a', 2, 7_000);
  assert.equal(turns.due('a', 9_000)?.isPutOff, true);
  turns.enter('a', 2, 9_000);
  assert.equal(turns.due('a', 9_000), undefined);
});

test('a turn that nobody comes for is forgotten', () => {
  const turns = new Turns();
  turns.book('a', 2, 5_000, 0);
  assert.deepEqual([...turns.costs(60_000, 5_000)], [['a', 2]]);
  assert.equal(turns.due('a', 60_000), undefined);
  assert.deepEqual([...turns.costs(120_000, 60_000)], []);
});

test('what was let in counts until its session opens, or for a moment', () => {
  const turns = new Turns();
  turns.enter('a', 3, 0);
  turns.enter('a', 3, 0);
  assert.deepEqual([...turns.costs(0, 0)], [['a', 6]]);
  assert.equal(turns.arrive('a', 100), true);
  assert.deepEqual([...turns.costs(0, 100)], [['a', 3]]);
  assert.equal(turns.arrive('a', 60_000), false);
  assert.equal(turns.arrive('b', 0), false);
});

test('an account that never comes back keeps only so many turns', () => {
  const turns = new Turns();
  for (let nth = 0; nth < 10_000; nth++) turns.book('a', 1, 1_000 + nth, 0);
  assert.ok((turns.costs(1e9, 0).get('a') ?? 0) <= 200);
  turns.book('b', 1, 1e9, 0);
  assert.equal(turns.costs(1e10, 0).has('b'), false);
});

test('turns of an account that does not come for them count for less and less', () => {
  const turns = new Turns();
  for (let nth = 0; nth < 20; nth++) turns.book('a', 1, 1_000 * nth, 0);
  turns.book('a', 1, 100_000, 0);
  assert.ok((turns.costs(200_000, 0).get('a') ?? 0) > 20);
  assert.ok((turns.costs(200_000, 90_000).get('a') ?? 0) < 0.1);
});

test('turns are spread over the seconds, as far as each has room', () => {
  const turns = new Turns();
  const seconds = Array.from({ length: 6 }, (_, nth) => {
    const second = turns.firstFree('a', 1, 1, 2, 0);
    turns.book(`account ${nth}`, 1, second * 1000, 0);
    return second;
  });
  assert.deepEqual(seconds, [1, 1, 2, 2, 3, 3]);
  assert.equal(turns.firstFree('a', 10, 1, 2, 0), 10);
});

test('accounts with many turns do not keep out one that has none', () => {
  const turns = new Turns();
  for (let nth = 0; nth < 300; nth++) turns.book(`account ${nth % 3}`, 1, 1000 * (1 + Math.floor(nth / 2)), 0);
  // After the first turn of each of the three, at two a second.
  assert.equal(turns.firstFree('newcomer', 1, 1, 2, 0), 2);
  assert.ok(turns.firstFree('account 0', 1, 1, 2, 0) >= 100);
});

test('a request larger than a second holds still has a turn', () => {
  const turns = new Turns();
  turns.book('a', 10, turns.firstFree('a', 1, 10, 2, 0) * 1000, 0);
  assert.ok(turns.firstFree('a', 1, 1, 2, 0) >= 4);
});

test('whether others wait', () => {
  const turns = new Turns();
  turns.book('a', 1, 1_000, 0);
  assert.equal(turns.othersWait('a'), false);
  assert.equal(turns.othersWait('b'), true);
});
