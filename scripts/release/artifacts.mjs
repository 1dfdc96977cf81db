// Creates the artifacts of a release from the built tree: tarballs, notes, SBOM (CycloneDX) and checksums.
// `node scripts/release/artifacts.mjs FOLDER`
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lintPackages } from './lint-packages.mjs';
import { packAll, readJson, root, sizeTable } from './packages.mjs';

/** The changelog's section of a version. */
export const notesOf = (version) => {
  const text = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(`${version} `));
  return section?.slice(section.indexOf('\n')).trim() ?? '';
};

const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

export const makeArtifacts = (folder) => {
  const { version } = readJson(join(root, 'package.json'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packed = packAll(folder);
  lintPackages(packed);
  writeFileSync(join(folder, 'notes.md'), `${notesOf(version)}\n\n${sizeTable(packed)}\n`);
  const sbom = ['sbom', '--omit=dev', '--sbom-format=cyclonedx', '--workspace', 'packages/server'];
  const bom = execFileSync('npm', sbom, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  writeFileSync(join(folder, `faircopy-${version}.cdx.json`), bom);
  const names = readdirSync(folder).sort();
  writeFileSync(join(folder, 'SHA256SUMS'), names.map((name) => `${sha256(join(folder, name))}  ${name}\n`).join(''));
  return packed;
};

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(sizeTable(makeArtifacts(resolve(process.argv[2] ?? join(root, 'release')))));
