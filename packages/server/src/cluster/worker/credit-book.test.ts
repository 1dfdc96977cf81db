import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { newId } from '../messages.ts';
import { RECALL_AFTER_MS } from '../timing.ts';
import { CreditBook } from './credit-book.ts';

const bookOf = (slots: number) => new CreditBook({ workerId: newId(), tiers: ['svc-1.0-lite', 'svc-1.0-pro'], slots });

test('idle slots are spread over the gateways', () => {
  const book = bookOf(4);
  book.update('a', {});
  book.update('b', {});
  book.lend(0);
  assert.deepEqual([book.of('a').credits.length, book.of('b').credits.length], [2, 2]);
});

test('unused credits are recalled only when another gateway waits', () => {
  const book = bookOf(2);
  book.update('a', {});
  book.lend(0);
  book.update('b', { 'svc-1.0-pro': 1 });
  assert.deepEqual([...book.lend(RECALL_AFTER_MS - 1)], []);
  assert.ok(book.mustRecall);
  assert.deepEqual([...book.lend(RECALL_AFTER_MS)], ['a']);
  const { recalled } = book.of('a');
  assert.equal(recalled.length, 1);
  assert.deepEqual(book.release(recalled, 'a'), []);
  assert.deepEqual([...book.lend(RECALL_AFTER_MS)], ['b']);
  assert.equal(book.mustRecall, false);
});

test('a gateway that waits for other tiers takes no credits from others', () => {
  const book = bookOf(1);
  book.update('a', {});
  book.lend(0);
  book.update('b', { 'svc-1.0-max': 9 });
  assert.equal(book.lend(1_000).size, 0);
});

test('a credit can be spent once, by its gateway, before it is released', () => {
  const book = bookOf(2);
  book.update('a', {});
  book.lend(0);
  const [first = '', second = ''] = book.of('a').credits;
  assert.equal(book.spend(first, 'lease-1', 'b', 0), false);
  assert.equal(book.spend(first, 'lease-1', 'a', 0), true);
  assert.equal(book.spend(first, 'lease-2', 'a', 0), false);
  book.release([second], 'b');
  assert.equal(book.of('a').credits.length, 1, 'another gateway cannot release it');
  book.release([second], 'a');
  assert.equal(book.spend(second, 'lease-3', 'a', 0), false);
});

test('gateways that always wait share the time evenly, whatever their window lengths', () => {
  const book = bookOf(3);
  const usedMs = new Map<string, number>();
  const windowMs: Record<string, number> = { a: 100, b: 400, c: 250 };
  const ends: { atMs: number; lease: string; gateway: string }[] = [];
  let nowMs = 0;
  for (let step = 0; step < 3_000; step++) {
    for (const gateway of Object.keys(windowMs)) book.update(gateway, { 'svc-1.0-lite': 50 });
    book.lend(nowMs);
    for (const gateway of Object.keys(windowMs))
      for (const credit of book.of(gateway).credits) {
        const lease = newId();
        assert.ok(book.spend(credit, lease, gateway, nowMs));
        ends.push({ atMs: nowMs + windowMs[gateway]!, lease, gateway });
      }
    ends.sort((one, other) => one.atMs - other.atMs);
    const end = ends.shift()!;
    nowMs = end.atMs;
    book.end(end.lease, nowMs);
    usedMs.set(end.gateway, (usedMs.get(end.gateway) ?? 0) + windowMs[end.gateway]!);
  }
  const shares = [...usedMs.values()];
  assert.ok(Math.min(...shares) > 0.9 * Math.max(...shares), JSON.stringify([...usedMs]));
});

test('no slot is lent twice or lost, whatever gateways do', () => {
  const step = fc.record({
    what: fc.constantFrom('hear', 'spend', 'end', 'release', 'forget', 'lend'),
    gateway: fc.constantFrom('a', 'b', 'c'),
    nth: fc.nat(3),
    want: fc.nat(4),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60 }), (slots, steps) => {
      const book = bookOf(slots);
      const leases: string[] = [];
      let nowMs = 0;
      for (const { what, gateway, nth, want } of steps) {
        nowMs += 30;
        const { credits } = book.of(gateway);
        if (what === 'hear') book.update(gateway, { 'svc-1.0-lite': want });
        if (what === 'spend' && credits[nth]) {
          const lease = newId();
          assert.ok(book.spend(credits[nth], lease, gateway, nowMs));
          leases.push(lease);
        }
        if (what === 'end' && leases.length > 0) book.end(leases.shift()!, nowMs);
        if (what === 'release') book.release(credits.slice(0, nth), gateway);
        if (what === 'forget') book.forget(gateway);
        book.lend(nowMs);
        const lent = book.gateways.reduce((sum, one) => sum + book.of(one).credits.length, 0);
        assert.equal(lent, book.lent);
        assert.equal(book.busy, leases.length);
        if (book.gateways.length > 0) assert.equal(lent + leases.length, slots);
        else assert.equal(lent, 0);
      }
    }),
  );
});
