// Prepares a release: `npm run release -- 0.2.0 [FOLDER]`. Sets the version, updates the changelog, builds artifacts.
// Nothing is committed or published; the last lines of the output say how.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeArtifacts } from './release/artifacts.mjs';
import { publishedPackages, readJson, root, sizeTable } from './release/packages.mjs';

const EXIT_USAGE = 64;
const [version, folder = 'release'] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version ?? '')) {
  console.error('The version is missing or invalid. Example: npm run release -- 0.2.0');
  process.exit(EXIT_USAGE);
}
const npm = (...args) => execFileSync('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });

/** Moves the notes under "Unreleased" to a section for this release. */
const cutChangelog = () => {
  const path = join(root, 'CHANGELOG.md');
  const text = readFileSync(path, 'utf8');
  const [, notes] = /## Unreleased\n([\s\S]*?)(?=\n## |$)/.exec(text) ?? [];
  if (!notes?.trim()) throw new Error('CHANGELOG.md has nothing under "## Unreleased".');
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(path, text.replace('## Unreleased\n', `## Unreleased\n\n## ${version} – ${today}\n`));
};

/** Sets the version everywhere. The packages depend on each other at exactly this version. */
const setVersion = () => {
  for (const name of ['.', ...readdirSync(join(root, 'packages')).map((one) => join('packages', one))]) {
    const path = join(root, name, 'package.json');
    const manifest = readJson(path);
    manifest.version = version;
    for (const dependency of Object.keys(manifest.dependencies ?? {}))
      if (dependency.startsWith('@faircopy/')) manifest.dependencies[dependency] = version;
    writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
  }
  for (const overlay of readdirSync(join(root, 'deploy/kubernetes/overlays'))) {
    const path = join(root, 'deploy/kubernetes/overlays', overlay, 'kustomization.yaml');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/newTag: .*/, `newTag: ${version}`));
  }
  npm('install', '--package-lock-only', '--ignore-scripts');
};

cutChangelog();
setVersion();
// A clean build, so that no outdated file is packed.
for (const name of publishedPackages()) rmSync(join(root, name, 'dist'), { recursive: true, force: true });
npm('run', '--silent', 'build');
const destination = resolve(root, folder);
console.log(sizeTable(makeArtifacts(destination)));
console.log(`\n${destination} contains ${readdirSync(destination).join(', ')}.`);
console.log(`Next: git commit -am "chore: release ${version}" && git tag v${version} && git push --follow-tags`);
console.log('Pushing the tag publishes the release: .github/workflows/release.yml');
