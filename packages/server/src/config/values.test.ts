import assert from 'node:assert/strict';
import test from 'node:test';
import { listenAddress } from './values.ts';

test('a listen address is a port of this machine, or a host and a port', () => {
  const read = (text: string) => listenAddress().parse(text);
  assert.deepEqual(read('9464'), { host: '127.0.0.1', port: 9464 });
  assert.deepEqual(read('0.0.0.0:9464'), { host: '0.0.0.0', port: 9464 });
  assert.deepEqual(read('[::1]:0'), { host: '::1', port: 0 });
  for (const wrong of ['', 'nine', '65536', '0.0.0.0', '::1:80', ':80', 'a b:80'])
    assert.throws(() => read(wrong), /must be a port up to 65535, or a host and port/, wrong);
});
