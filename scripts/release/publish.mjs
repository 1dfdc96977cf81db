// Publishes the tarballs of a release to npm with provenance, dependencies first.
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { publishedPackages, readJson, root } from './packages.mjs';

const folder = resolve(process.argv[2] ?? join(root, 'release'));
for (const name of publishedPackages()) {
  const { name: packageName, version } = readJson(join(root, name, 'package.json'));
  const tarball = join(folder, `${packageName.replace('@', '').replace('/', '-')}-${version}.tgz`);
  execFileSync('npm', ['publish', tarball, '--provenance', '--access', 'public'], { stdio: 'inherit' });
}
