import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { AnswerMemory } from './answer-memory.ts';

const answerOf = (body: string) => ({ contentType: 'text/plain', body, requestId: 'r', fingerprint: 'f' });
const clockAt = () => {
  let ms = 0;
  const pass = (more: number) => {
    ms += more;
  };
  return { now: () => ms, monotonicMs: () => ms, pass };
};
const LIMITS = { bytesMax: 20_000, accountBytesMax: 8_000, accountEntriesMax: 5, keepMs: 1_000 };

test('the limits hold: total bytes, bytes per account, entries per account', () => {
  const change = fc.record({
    account: fc.integer({ min: 0, max: 6 }),
    key: fc.integer({ min: 0, max: 30 }),
    characters: fc.integer({ min: 0, max: 5_000 }),
    passMs: fc.integer({ min: 0, max: 300 }),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 80 }), (changes) => {
      const clock = clockAt();
      const memory = new AnswerMemory(LIMITS, clock);
      const written = new Map<string, { body: string; account: number; atMs: number }>();
      for (const { account, key, characters, passMs } of changes) {
        clock.pass(passMs);
        const hash = `${account}-${key}`;
        const body = 'x'.repeat(characters);
        memory.set(hash, String(account), answerOf(body));
        written.set(hash, { body, account, atMs: clock.now() });
        const kept = [...written].filter(([each]) => memory.get(each) !== undefined);
        assert.ok(memory.bytes <= LIMITS.bytesMax);
        for (let each = 0; each <= 6; each++) {
          const own = kept.filter(([, entry]) => entry.account === each);
          assert.ok(own.length <= LIMITS.accountEntriesMax);
          assert.ok(own.reduce((sum, [, entry]) => sum + 2 * entry.body.length, 0) <= LIMITS.accountBytesMax);
        }
        for (const [each, entry] of kept) {
          assert.equal(memory.get(each)?.body, entry.body);
          assert.ok(clock.now() - entry.atMs < LIMITS.keepMs);
        }
      }
      clock.pass(LIMITS.keepMs);
      memory.sweep();
      assert.deepEqual([memory.size, memory.bytes], [0, 0]);
    }),
  );
});

test('an account evicts its own answers, not those of others', () => {
  const memory = new AnswerMemory(LIMITS, clockAt());
  memory.set('small', 'quiet', answerOf('hello'));
  for (let n = 0; n < 100; n++) memory.set(`large ${n}`, 'loud', answerOf('x'.repeat(1_500)));
  assert.equal(memory.get('small')?.body, 'hello');
  assert.equal(memory.get('large 99')?.body.length, 1_500);
});
