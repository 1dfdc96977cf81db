import assert from 'node:assert/strict';
import test from 'node:test';
import { parseConfig } from './config.ts';
import { nodeNameOf } from './node-name.ts';

const nameFor = (env: Record<string, string>) => nodeNameOf(parseConfig(env));

test('a server keeps its name over a restart', () => {
  assert.equal(nameFor({ PORT: '8080' }), nameFor({ PORT: '8080' }));
  assert.equal(nameFor({ FAIRCOPY_NODE_NAME: 'north', PORT: '0' }), 'north');
});

test('servers beside each other have different names', () => {
  assert.notEqual(nameFor({ PORT: '8080' }), nameFor({ PORT: '8081' }));
  assert.notEqual(nameFor({ FAIRCOPY_DATA_DIR: 'a' }), nameFor({ FAIRCOPY_DATA_DIR: 'b' }));
  assert.notEqual(nameFor({ PORT: '0' }), nameFor({ PORT: '0' }));
});
