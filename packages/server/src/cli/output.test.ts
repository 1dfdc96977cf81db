import assert from 'node:assert/strict';
import test from 'node:test';
import { formatTable, sanitise } from './output.ts';

test('a name cannot control the terminal or reverse the text', () => {
  assert.equal(sanitise('a\u001b[2Jb\u202ec\u2066d\n'), 'a\\u001b[2Jb\\u202ec\\u2066d\\u000a');
  assert.equal(sanitise('<b>Ångström</b> 你好 👋'), '<b>Ångström</b> 你好 👋');
});

test('a table is aligned on a terminal, and tab-separated without titles in a pipe', () => {
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
