import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { newId } from '../messages.ts';
import { CREDIT_VOID_AFTER_MS, PROBATION_MS, RECALL_AFTER_MS } from '../timing.ts';
import { CreditBook } from './credit-book.ts';

const bookOf = (slots: number) => new CreditBook({ workerId: newId(), tiers: ['svc-1.0-lite', 'svc-1.0-pro'], slots });

test('idle slots are spread over the gateways', () => {
  const book = bookOf(4);
  book.update('a', { want: {} });
  book.update('b', { want: {} });
  book.lend(0);
  assert.deepEqual([book.of('a').credits.length, book.of('b').credits.length], [2, 2]);
});

test('with many workers, each lends idle slots to a different few gateways; a waiting one gets them', () => {
  const gateways = Array.from({ length: 20 }, (_, nth) => `gateway-${nth}`);
  const homes = new Set<string>();
  for (let nth = 0; nth < 40; nth++) {
    const book = bookOf(8);
    book.workers = 1_000;
    for (const gateway of gateways) book.update(gateway, { want: {} });
    book.lend(0);
    const lent = gateways.filter((gateway) => book.of(gateway).credits.length > 0);
    assert.equal(lent.length, 2);
    for (const gateway of lent) homes.add(gateway);
    const other = gateways.find((gateway) => !lent.includes(gateway))!;
    book.update(other, { want: { 'svc-1.0-lite': 1 } });
    book.lend(RECALL_AFTER_MS);
    const { recalled } = book.of(lent.find((gateway) => book.of(gateway).recalled.length > 0)!);
    for (const gateway of lent) book.release(recalled, gateway);
    book.lend(RECALL_AFTER_MS);
    assert.equal(book.of(other).credits.length, 1);
  }
  assert.ok(homes.size > 15, `${homes.size} of 20 gateways have idle slots`);
});

test('unused credits are recalled only when another gateway waits', () => {
  const book = bookOf(2);
  book.update('a', { want: {} });
  book.lend(0);
  book.update('b', { want: { 'svc-1.0-pro': 1 } });
  assert.deepEqual([...book.lend(RECALL_AFTER_MS - 1)], []);
  assert.ok(book.mustRecall);
  assert.deepEqual([...book.lend(RECALL_AFTER_MS)], ['a']);
  const { recalled } = book.of('a');
  assert.equal(recalled.length, 1);
  assert.deepEqual(book.release(recalled, 'a'), []);
  assert.deepEqual([...book.lend(RECALL_AFTER_MS)], ['b']);
  assert.equal(book.mustRecall, false);
});

test('a credit is not recalled for windows of its own gateway', () => {
  const book = bookOf(1);
  book.update('a', { want: { 'svc-1.0-lite': 3 } });
  book.lend(0);
  assert.equal(book.mustRecall, false);
  assert.equal(book.lend(RECALL_AFTER_MS).size, 0);
  book.update('b', { want: { 'svc-1.0-lite': 1 } });
  assert.ok(book.mustRecall);
  assert.deepEqual([...book.lend(RECALL_AFTER_MS)], ['a']);
});

test('a gateway that waits for other tiers takes no credits from others', () => {
  const book = bookOf(1);
  book.update('a', { want: {} });
  book.lend(0);
  book.update('b', { want: { 'svc-1.0-max': 9 } });
  assert.equal(book.lend(1_000).size, 0);
});

test('a credit can be spent once, by its gateway, before it is released', () => {
  const book = bookOf(2);
  book.update('a', { want: {} });
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
    for (const gateway of Object.keys(windowMs)) book.update(gateway, { want: { 'svc-1.0-lite': 50 } });
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

/** Busy share of the slots when one gateway always has windows of 100 ms, and others ask for slots but send none. */
const shareBeside = (others: number, want: number, isNewcomer: boolean): number => {
  const slots = 2;
  const book = bookOf(slots);
  const running: { lease: string; endsMs: number }[] = [];
  const forge = () => {
    for (let nth = 0; nth < others; nth++) book.update(`forged-${nth}`, { want: { 'svc-1.0-lite': want } });
  };
  const endMs = isNewcomer ? 120_000 : 20_000;
  let busyMs = 0;
  let nowMs = 0;
  if (isNewcomer) forge();
  for (; nowMs < endMs; nowMs += 10) {
    book.update('real', { want: { 'svc-1.0-lite': 20 } });
    if (nowMs >= 1_000) forge();
    for (const { lease } of running.filter(({ endsMs }) => endsMs <= nowMs)) book.end(lease, nowMs);
    running.splice(0, running.length, ...running.filter(({ endsMs }) => endsMs > nowMs));
    book.lend(nowMs);
    for (const credit of book.of('real').credits) {
      const lease = newId();
      assert.ok(book.spend(credit, lease, 'real', nowMs));
      running.push({ lease, endsMs: nowMs + 100 });
    }
    busyMs += 10 * running.length;
  }
  return busyMs / slots / endMs;
};

test('gateways that ask for slots and never use them take little from one that works', () => {
  for (const want of [0, 1, 1_000]) assert.ok(shareBeside(63, want, false) > 0.8, `they want ${want}`);
});

test('a gateway that joins after such gateways gets its turn and then works normally', () => {
  assert.ok(shareBeside(63, 5, true) > 0.4);
});

const LITE = 'svc-1.0-lite';
/** Returns recalled credits, as gateways do at once. */
const returnRecalled = (book: CreditBook, nowMs: number) => {
  for (const gateway of book.gateways) book.release(book.of(gateway).recalled, gateway);
  book.lend(nowMs);
};
/** A book of which all credits are with `a`, which has spent one before. */
const lentToProven = (slots: number) => {
  const book = bookOf(slots);
  book.update('a', { want: {} });
  book.lend(0);
  book.spend(book.of('a').credits[0]!, 'lease', 'a', 0);
  book.update('b', { want: {} });
  book.end('lease', 0);
  book.lend(0);
  assert.equal(book.of('a').credits.length, slots);
  return book;
};

test('background windows of a gateway that never spent a credit get idle slots, but for a reserve', () => {
  for (const [slots, reserve] of [
    [1, 0],
    [2, 1],
    [8, 2],
  ] as const) {
    const book = lentToProven(slots);
    book.update('b', { want: {}, background: { [LITE]: 20 } });
    book.lend(RECALL_AFTER_MS);
    returnRecalled(book, RECALL_AFTER_MS);
    assert.deepEqual([book.of('a').credits.length, book.of('b').credits.length], [reserve, slots - reserve]);
    assert.equal(book.mustRecall, false);
  }
});

test('only as many idle slots are recalled as background windows wait', () => {
  const book = lentToProven(8);
  book.update('b', { want: {}, background: { [LITE]: 2 } });
  for (let nowMs = RECALL_AFTER_MS; nowMs < 5 * RECALL_AFTER_MS; nowMs += RECALL_AFTER_MS) book.lend(nowMs);
  assert.equal(book.of('a').recalled.length, 2);
});

test('firm windows get a slot before background ones of other gateways, even one that was lent for these', () => {
  const book = lentToProven(1);
  book.update('b', { want: {}, background: { [LITE]: 5 } });
  book.lend(RECALL_AFTER_MS);
  returnRecalled(book, RECALL_AFTER_MS);
  assert.equal(book.of('b').credits.length, 1);
  book.update('a', { want: { [LITE]: 1 } });
  book.lend(3 * RECALL_AFTER_MS);
  returnRecalled(book, 3 * RECALL_AFTER_MS);
  assert.equal(book.of('a').credits.length, 1);
});

test('gateways with only background windows share the slots, and no credit goes back and forth', () => {
  const book = bookOf(4);
  const windows: Record<string, number> = { a: 0, b: 0 };
  const running: { lease: string; endsMs: number }[] = [];
  for (let nowMs = 0; nowMs < 20_000; nowMs += 10) {
    for (const gateway of ['a', 'b']) book.update(gateway, { want: {}, background: { [LITE]: 50 } });
    for (const { lease } of running.filter(({ endsMs }) => endsMs <= nowMs)) book.end(lease, nowMs);
    running.splice(0, running.length, ...running.filter(({ endsMs }) => endsMs > nowMs));
    book.lend(nowMs);
    assert.equal(book.mustRecall, false);
    for (const gateway of ['a', 'b'])
      for (const credit of book.of(gateway).credits) {
        const lease = newId();
        assert.ok(book.spend(credit, lease, gateway, nowMs));
        windows[gateway]! += 1;
        running.push({ lease, endsMs: nowMs + 70 + 10 * (running.length % 7) });
      }
  }
  assert.ok(Math.min(...Object.values(windows)) > 0.8 * Math.max(...Object.values(windows)), JSON.stringify(windows));
  assert.ok(windows.a! + windows.b! > 750, 'no slot stays idle');
});

test('a recalled credit that is not returned is void, and its slot is lent again', () => {
  const book = bookOf(1);
  book.update('a', { want: {} });
  book.lend(0);
  const [kept = ''] = book.of('a').credits;
  assert.equal(book.idler, undefined);
  book.update('b', { want: { 'svc-1.0-lite': 1 } });
  book.lend(RECALL_AFTER_MS);
  assert.deepEqual([...book.lend(RECALL_AFTER_MS + CREDIT_VOID_AFTER_MS)].sort(), ['a', 'b']);
  assert.equal(book.spend(kept, 'lease', 'a', 1_000), false);
  assert.equal(book.of('b').credits.length, 1);
  assert.equal(book.idler, 'a');
});

test('a new gateway gets a slot soon, however busy the others are', () => {
  const book = bookOf(1);
  const work = (nowMs: number) => {
    for (const credit of book.of('old').credits) {
      const lease = newId();
      book.spend(credit, lease, 'old', nowMs);
      book.end(lease, nowMs);
    }
  };
  book.update('old', { want: { 'svc-1.0-lite': 9 } });
  book.lend(0);
  work(0);
  book.update('new', { want: { 'svc-1.0-lite': 1 } });
  let nowMs = 0;
  while (book.of('new').credits.length === 0) {
    nowMs += 10;
    assert.ok(nowMs <= PROBATION_MS + 10, 'it waits for too long');
    book.lend(nowMs);
    work(nowMs);
  }
});

test('no slot is lent twice or lost, whatever gateways do', () => {
  const step = fc.record({
    what: fc.constantFrom('hear', 'spend', 'end', 'release', 'forget', 'lend'),
    gateway: fc.constantFrom('a', 'b', 'c'),
    nth: fc.nat(3),
    want: fc.nat(4),
    background: fc.nat(4),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60 }), (slots, steps) => {
      const book = bookOf(slots);
      const leases: string[] = [];
      let nowMs = 0;
      for (const { what, gateway, nth, want, background } of steps) {
        nowMs += 30;
        const { credits } = book.of(gateway);
        if (what === 'hear') book.update(gateway, { want: { [LITE]: want }, background: { [LITE]: background } });
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
