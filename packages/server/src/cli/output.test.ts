import assert from 'node:assert/strict';
import test from 'node:test';
import { InvalidArgumentError } from 'commander';
import { formatTable, harmless } from './output.ts';
import { parseWhen } from './when.ts';

test('a name cannot steer the terminal or turn the text around', () => {
  assert.equal(harmless('a\u001b[2Jb\u202ec\u2066d\n'), 'a\\u001b[2Jb\\u202ec\\u2066d\\u000a');
  assert.equal(harmless('<b>Ångström</b> 你好 👋'), '<b>Ångström</b> 你好 👋');
});

test('a table is aligned for people, and tab-separated without titles for pipes', () => {
  const columns = [
    { title: 'name', value: (row: { name: string; n: number | null }) => row.name },
    { title: 'n', value: (row: { name: string; n: number | null }) => row.n },
  ];
  const rows = [
    { name: 'long name', n: 1 },
    { name: 'a\tb', n: null },
  ];
  assert.equal(formatTable(rows, columns, true), 'NAME       N\nlong name  1\na\\u0009b   -\n');
  assert.equal(formatTable(rows, columns, false), 'long name\t1\na\\u0009b\t\n');
});

test('moments are dates, times with or without offset, and spans', () => {
  const nowMs = Date.UTC(2026, 10, 15);
  assert.equal(parseWhen('2026-11-15', 'ago', 0), nowMs);
  assert.equal(parseWhen('2026-11-15T00:00', 'ago', 0), nowMs);
  assert.equal(parseWhen('2026-11-15T02:00:00.000+02:00', 'ago', 0), nowMs);
  assert.equal(parseWhen('2d', 'ago', nowMs), nowMs - 2 * 86_400_000);
  assert.equal(parseWhen('90m', 'ahead', nowMs), nowMs + 90 * 60_000);
  for (const text of ['', 'soon', '2026', '2026-13-01', '15/11/2026', '-1d', '1y', '2026-11-15T99:00'])
    assert.throws(() => parseWhen(text, 'ago'), InvalidArgumentError, text);
});
