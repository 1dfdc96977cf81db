import assert from 'node:assert/strict';
import test from 'node:test';
import { InvalidArgumentError } from 'commander';
import { parseWhen, wholeNumber } from './arguments.ts';

test('a time is a date, a time with or without offset, or a span', () => {
  const nowMs = Date.UTC(2026, 10, 15);
  assert.equal(parseWhen('2026-11-15', 'ago', 0), nowMs);
  assert.equal(parseWhen('2026-11-15T00:00', 'ago', 0), nowMs);
  assert.equal(parseWhen('2026-11-15T02:00:00.000+02:00', 'ago', 0), nowMs);
  assert.equal(parseWhen('2d', 'ago', nowMs), nowMs - 2 * 86_400_000);
  assert.equal(parseWhen('90m', 'ahead', nowMs), nowMs + 90 * 60_000);
  for (const text of ['', 'soon', '2026', '2026-13-01', '15/11/2026', '-1d', '1y', '2026-11-15T99:00'])
    assert.throws(() => parseWhen(text, 'ago'), InvalidArgumentError, text);
});

test('a whole number is within its bounds', () => {
  assert.equal(wholeNumber(1, 64)('64'), 64);
  for (const text of ['', '0', '65', '1.5', '-1', '1e1'])
    assert.throws(() => wholeNumber(1, 64)(text), InvalidArgumentError, text);
});
