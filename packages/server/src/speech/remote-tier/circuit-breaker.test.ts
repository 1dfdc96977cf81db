import assert from 'node:assert/strict';
import test from 'node:test';
import { CircuitBreaker } from './circuit-breaker.ts';

test('opens after consecutive failures, then tries one request after growing delays', () => {
  const breaker = new CircuitBreaker(3);
  assert.equal(breaker.failed(0, false), 0);
  assert.equal(breaker.failed(0, false), 0);
  breaker.succeeded();
  for (const _ of [1, 2]) assert.equal(breaker.failed(0, false), 0);
  assert.equal(breaker.failed(0, false), 5_000);
  assert.equal(breaker.failed(10, false), 0, 'a window that was already running does not count');
  assert.deepEqual([breaker.state(4_999), breaker.state(5_000)], ['open', 'trying']);
  assert.equal(breaker.failed(5_000, false), 10_000);
  assert.equal(breaker.state(14_999), 'open');
  breaker.succeeded();
  assert.equal(breaker.state(14_999), 'closed');
});

test('opens at once when the settings are wrong', () => {
  assert.equal(new CircuitBreaker(3).failed(0, true), 5_000);
});
