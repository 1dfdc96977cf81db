import assert from 'node:assert/strict';
import test from 'node:test';
import { Utilisation } from './utilisation.ts';

test('utilisation follows the busy share and forgets it', () => {
  const utilisation = new Utilisation();
  assert.equal(utilisation.of(0), 0);
  utilisation.set(1, 0);
  assert.equal(utilisation.of(0), 0);
  const after2s = utilisation.of(2_000);
  assert.ok(after2s > 0.2 && after2s < 0.5, `${after2s}`);
  assert.ok(utilisation.of(60_000) > 0.99);
  utilisation.set(0, 60_000);
  assert.ok(utilisation.of(120_000) < 0.01);
});

test('being busy half of the time, in short pieces, is half the utilisation', () => {
  const utilisation = new Utilisation();
  for (let ms = 0; ms < 60_000; ms += 200) utilisation.set(ms % 400 === 0 ? 1 : 0, ms);
  const share = utilisation.of(60_000);
  assert.ok(share > 0.45 && share < 0.55, `${share}`);
});
