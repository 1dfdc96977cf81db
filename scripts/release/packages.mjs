// The published packages in dependency order, and how to pack them.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = new URL('../..', import.meta.url).pathname;

const ORDER = ['contract', 'transcript', 'client', 'refiner-model', 'turn-model', 'server'];

export const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** All workspaces that are not private. */
export const publishedPackages = () =>
  ORDER.map((name) => join('packages', name)).filter(
    (folder) => existsSync(join(root, folder, 'package.json')) && !readJson(join(root, folder, 'package.json')).private,
  );

/** Packs the built packages; returns the name, sizes and number of files of each tarball. */
export const packAll = (destination) =>
  publishedPackages().map((folder) => {
    const args = ['pack', '--json', '-w', folder, '--pack-destination', destination];
    const answer = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const [packed] = Object.values(JSON.parse(answer));
    const { name, filename, size, unpackedSize, entryCount } = packed;
    return {
      name,
      folder,
      path: join(destination, filename),
      bytes: size,
      unpackedBytes: unpackedSize,
      files: entryCount,
    };
  });

const megabytes = (bytes) => (bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

export const sizeTable = (packed) =>
  [
    '| package | tarball | unpacked | files |',
    '|---|---|---|---|',
    ...packed.map(
      ({ name, bytes, unpackedBytes, files }) =>
        `| ${name} | ${megabytes(bytes)} | ${megabytes(unpackedBytes)} | ${files} |`,
    ),
  ].join('\n');
