// The check of the lock file detects every kind of fault that it should detect.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

/** Compiled tests are one folder deeper than their source. */
const root = fileURLToPath(new URL('../../../../..', import.meta.url));
const run = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'scripts', 'check-dependencies.mjs'), ...args], { encoding: 'utf8' });

interface LockEntry {
  license?: string;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
}

const HARM: Record<string, (entry: LockEntry) => void> = {
  'no sha512 integrity': (entry) => delete entry.integrity,
  'has no sha512': (entry) => {
    entry.integrity = 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=';
  },
  'is fetched from': (entry) => {
    entry.resolved = 'https://elsewhere.example/fastify.tgz';
  },
  'runs a script': (entry) => {
    entry.hasInstallScript = true;
  },
  'has the licence GPL-3.0': (entry) => {
    entry.license = 'GPL-3.0';
  },
  'has the licence \\(GPL-2.0 AND MIT\\)': (entry) => {
    entry.license = '(GPL-2.0 AND MIT)';
  },
  'has the licence none': (entry) => delete entry.license,
};

test('the lock file of this repository passes', () => {
  const { status, stderr } = run();
  assert.equal(status, 0, stderr);
});

for (const [what, harm] of Object.entries(HARM))
  test(`a package that ${what} is found`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'faircopy-lock-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    harm(lock.packages['node_modules/fastify']);
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    const { status, stderr } = run(join(folder, 'package-lock.json'));
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`^node_modules/fastify .*${what}`, 'm'));
  });
