import assert from 'node:assert/strict';
import test from 'node:test';
import { Load } from './load.ts';

test('load follows what is busy, and forgets it', () => {
  const load = new Load();
  assert.equal(load.of(0), 0);
  load.set(1, 0);
  assert.equal(load.of(0), 0);
  const after2s = load.of(2_000);
  assert.ok(after2s > 0.2 && after2s < 0.5, `${after2s}`);
  assert.ok(load.of(60_000) > 0.99);
  load.set(0, 60_000);
  assert.ok(load.of(120_000) < 0.01);
});

test('half the time busy is half the load, in whatever pieces it comes', () => {
  const load = new Load();
  for (let ms = 0; ms < 60_000; ms += 200) load.set(ms % 400 === 0 ? 1 : 0, ms);
  const share = load.of(60_000);
  assert.ok(share > 0.45 && share < 0.55, `${share}`);
});
