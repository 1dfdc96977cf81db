import assert from 'node:assert/strict';
import test from 'node:test';
import { RetryReservations } from './retry-reservations.ts';

test('a reservation is due at its time and is used by one request of its account', () => {
  const reservations = new RetryReservations();
  reservations.reserve('a', 2, 5_000, 0);
  assert.equal(reservations.due('a', 1_000), undefined);
  assert.equal(reservations.due('b', 5_000), undefined);
  assert.ok(reservations.due('a', 5_000));
  reservations.enter('a', 2, 5_000);
  assert.equal(reservations.due('a', 5_000), undefined);
});

test('a postponed reservation is due later and can be used once', () => {
  const reservations = new RetryReservations();
  reservations.reserve('a', 2, 5_000, 0);
  reservations.reserve('a', 2, 7_000, 0);
  reservations.postpone('a', 9_000, 5_000);
  assert.equal(reservations.due('a', 5_000), undefined);
  assert.deepEqual(reservations.due('a', 7_000), { atMs: 7_000, cost: 2 });
  reservations.enter('a', 2, 7_000);
  assert.equal(reservations.due('a', 9_000)?.isPostponed, true);
  reservations.enter('a', 2, 9_000);
  assert.equal(reservations.due('a', 9_000), undefined);
});

test('an unused reservation expires', () => {
  const reservations = new RetryReservations();
  reservations.reserve('a', 2, 5_000, 0);
  assert.deepEqual([...reservations.costs(60_000, 5_000)], [['a', 2]]);
  assert.equal(reservations.due('a', 60_000), undefined);
  assert.deepEqual([...reservations.costs(120_000, 60_000)], []);
});

test('an entered request counts until its session opens, or for a few seconds', () => {
  const reservations = new RetryReservations();
  reservations.enter('a', 3, 0);
  reservations.enter('a', 3, 0);
  assert.deepEqual([...reservations.costs(0, 0)], [['a', 6]]);
  assert.equal(reservations.arrive('a', 100), true);
  assert.deepEqual([...reservations.costs(0, 100)], [['a', 3]]);
  assert.equal(reservations.arrive('a', 60_000), false);
  assert.equal(reservations.arrive('b', 0), false);
});

test('an account keeps a bounded number of reservations', () => {
  const reservations = new RetryReservations();
  for (let nth = 0; nth < 10_000; nth++) reservations.reserve('a', 1, 1_000 + nth, 0);
  assert.ok((reservations.costs(1e9, 0).get('a') ?? 0) <= 200);
  reservations.reserve('b', 1, 1e9, 0);
  assert.equal(reservations.costs(1e10, 0).has('b'), false);
});

test('reservations of an account that does not use them count for less and less', () => {
  const reservations = new RetryReservations();
  for (let nth = 0; nth < 20; nth++) reservations.reserve('a', 1, 1_000 * nth, 0);
  reservations.reserve('a', 1, 100_000, 0);
  assert.ok((reservations.costs(200_000, 0).get('a') ?? 0) > 20);
  assert.ok((reservations.costs(200_000, 90_000).get('a') ?? 0) < 0.1);
});

test('reservations are spread over the seconds, as far as each has room', () => {
  const reservations = new RetryReservations();
  const seconds = Array.from({ length: 6 }, (_, nth) => {
    const second = reservations.firstFreeSecond('a', 1, 1, 2, 0);
    reservations.reserve(`account ${nth}`, 1, second * 1000, 0);
    return second;
  });
  assert.deepEqual(seconds, [1, 1, 2, 2, 3, 3]);
  assert.equal(reservations.firstFreeSecond('a', 10, 1, 2, 0), 10);
});

test('accounts with many reservations do not keep out one that has none', () => {
  const reservations = new RetryReservations();
  for (let nth = 0; nth < 300; nth++)
    reservations.reserve(`account ${nth % 3}`, 1, 1000 * (1 + Math.floor(nth / 2)), 0);
  // After the first reservation of each of the three accounts, at two per second.
  assert.equal(reservations.firstFreeSecond('newcomer', 1, 1, 2, 0), 2);
  assert.ok(reservations.firstFreeSecond('account 0', 1, 1, 2, 0) >= 100);
});

test('a request larger than one second of capacity still gets a reservation', () => {
  const reservations = new RetryReservations();
  reservations.reserve('a', 10, reservations.firstFreeSecond('a', 1, 10, 2, 0) * 1000, 0);
  assert.ok(reservations.firstFreeSecond('a', 1, 1, 2, 0) >= 4);
});

test('only reservations of other accounts count as others waiting', () => {
  const reservations = new RetryReservations();
  reservations.reserve('a', 1, 1_000, 0);
  assert.equal(reservations.othersWait('a'), false);
  assert.equal(reservations.othersWait('b'), true);
});
