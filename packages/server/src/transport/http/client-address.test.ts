import assert from 'node:assert/strict';
import test from 'node:test';
import { AddressList, addressFault } from '../../lib/net/address-list.ts';
import { clientAddress } from './client-address.ts';

const trusted = new AddressList(['10.0.0.0/8', '127.0.0.1', 'fd00::/8']);
const from = (peer: string, headers: Record<string, string>) => clientAddress(peer, headers, trusted);

test('a header counts only from a trusted proxy', () => {
  assert.equal(from('203.0.113.9', { 'x-forwarded-for': '198.51.100.1' }), '203.0.113.9');
  assert.equal(from('10.1.2.3', { 'x-forwarded-for': '198.51.100.1' }), '198.51.100.1');
  assert.equal(from('::ffff:10.1.2.3', { 'x-forwarded-for': '198.51.100.1' }), '198.51.100.1');
  assert.equal(from('10.1.2.3', {}), '10.1.2.3');
  assert.equal(clientAddress('10.1.2.3', { 'x-forwarded-for': '1.1.1.1' }, new AddressList([])), '10.1.2.3');
});

test('addresses that a client adds before its own are ignored', () => {
  assert.equal(from('10.1.2.3', { 'x-forwarded-for': '1.1.1.1, 198.51.100.1' }), '198.51.100.1');
  assert.equal(from('10.1.2.3', { 'x-forwarded-for': '1.1.1.1, 198.51.100.1, 10.9.9.9' }), '198.51.100.1');
  assert.equal(from('10.1.2.3', { 'x-forwarded-for': 'nonsense, 10.9.9.9' }), '10.9.9.9');
  assert.equal(from('10.1.2.3', { 'x-forwarded-for': 'nonsense' }), '10.1.2.3');
});

test('Forwarded is parsed too, with ports, brackets and quotes', () => {
  assert.equal(from('127.0.0.1', { forwarded: 'for=198.51.100.1;proto=https' }), '198.51.100.1');
  assert.equal(from('127.0.0.1', { forwarded: 'proto=https;For="[2001:db8::1]:4711"' }), '2001:db8::1');
  assert.equal(from('127.0.0.1', { forwarded: 'for=1.1.1.1, for="198.51.100.1:80"' }), '198.51.100.1');
  assert.equal(from('127.0.0.1', { forwarded: 'for=unknown' }), '127.0.0.1');
});

test('when the two headers disagree, both are ignored', () => {
  const both = { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=1.1.1.1' };
  assert.equal(from('10.1.2.3', both), '10.1.2.3');
  assert.equal(from('10.1.2.3', { ...both, forwarded: 'for=198.51.100.1' }), '198.51.100.1');
});

test('entries of the list are validated', () => {
  for (const entry of ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '0.0.0.0/0'])
    assert.equal(addressFault(entry), null);
  for (const entry of ['', 'proxy', '10.0.0', '10.0.0.0/33', '10.0.0.0/8/8', 'fd00::/129', '10.0.0.0/'])
    assert.ok(addressFault(entry), entry);
});
