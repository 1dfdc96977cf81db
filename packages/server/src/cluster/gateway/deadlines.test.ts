import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { Deadlines, type Watched } from './deadlines.ts';

class One implements Watched {
  readonly nth: number;
  dueMs: number;
  checkAtMs = Number.POSITIVE_INFINITY;

  constructor(nth: number, dueMs: number) {
    this.nth = nth;
    this.dueMs = dueMs;
  }
}

test('however deadlines move, every overdue item is returned once and in order', () => {
  const step = fc.record({
    what: fc.constantFrom('later', 'earlier', 'forget', 'look'),
    nth: fc.nat(9),
    ms: fc.integer({ min: 0, max: 3_000 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const deadlines = new Deadlines<One>();
      const all = Array.from({ length: 10 }, (_, nth) => new One(nth, 500 * nth));
      const known = new Set(all);
      for (const one of all) deadlines.schedule(one, one.dueMs);
      let nowMs = 0;
      for (const { what, nth, ms } of steps) {
        const one = all[nth]!;
        if (what === 'later') one.dueMs += ms;
        if (what === 'earlier' && known.has(one)) {
          one.dueMs = nowMs + ms;
          deadlines.schedule(one, one.dueMs);
        }
        if (what === 'forget') {
          deadlines.forget(one);
          known.delete(one);
        }
        if (what !== 'look') continue;
        nowMs += ms;
        const overdue = [...known].filter(({ dueMs }) => dueMs < nowMs);
        assert.deepEqual(
          deadlines.overdue(nowMs).map((each) => each.nth),
          overdue.map((each) => each.nth).sort((first, second) => first - second),
        );
      }
    }),
  );
});
