import assert from 'node:assert/strict';
import test from 'node:test';
import { nodeNameOf } from './node-name.ts';

const inFolder = (dataDir: string, nodeName?: string) => ({ dataDir, nodeName });

test('a server keeps its name after a restart', () => {
  assert.equal(nodeNameOf(inFolder('a'), 8080), nodeNameOf(inFolder('a'), 8080));
  assert.equal(nodeNameOf(inFolder('a', 'north'), 0), 'north');
});

test('servers on one machine have different names', () => {
  assert.notEqual(nodeNameOf(inFolder('a'), 8080), nodeNameOf(inFolder('a'), 8081));
  assert.notEqual(nodeNameOf(inFolder('a'), 8080), nodeNameOf(inFolder('b'), 8080));
  assert.notEqual(nodeNameOf(inFolder('a'), 0), nodeNameOf(inFolder('a'), 0));
});
