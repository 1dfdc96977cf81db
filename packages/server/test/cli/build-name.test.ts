// Two builds of one version have different names, from their commits.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { BUILD, VERSION } from '../../src/lib/process/version.ts';

const { writeBuildName } = (await import(new URL('../../../../../scripts/build-name.mjs', import.meta.url).href)) as {
  writeBuildName(root: string): void;
};

test('a build is named after its commit, and its name shows uncommitted changes', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'faircopy-build-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'packages/server/dist/src'), { recursive: true });
  writeFileSync(join(root, '.gitignore'), 'packages\n');
  const named = (): string | null => {
    writeBuildName(root);
    return JSON.parse(readFileSync(join(root, 'packages/server/dist/src/build.json'), 'utf8')).build;
  };
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...words], { cwd: root });
  const commit = (text: string): string | null => {
    writeFileSync(join(root, 'code'), text);
    git('add', '-A');
    git('commit', '-qm', text);
    return named();
  };
  assert.equal(named(), null, 'not a repository: the version of the package alone');
  git('init', '-q');
  const [first, second] = [commit('first'), commit('second')];
  assert.match(first!, /^[0-9a-f]{12}$/);
  assert.notEqual(first, second);
  writeFileSync(join(root, 'code'), 'third');
  assert.equal(named(), `${second}.dirty`);
});

test('the version of a build starts with the version of the package', () => {
  assert.ok(BUILD === VERSION || BUILD.startsWith(`${VERSION}+`), BUILD);
});
