// Bundles libraries of hundreds of modules into a few files: loading the modules took a third of a command's time.
// The server imports the files by the names under `imports` in its package.json. See docs/decisions/packages.md.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** The files in `dist/libraries`, and the library that each contains. Common modules go into shared files. */
const LIBRARIES = {
  kysely: 'kysely',
  'kysely-adapter': '@better-auth/kysely-adapter',
  'better-auth': 'better-auth',
  'better-auth-api': 'better-auth/api',
  'better-auth-cookies': 'better-auth/cookies',
  'better-auth-oauth2': 'better-auth/oauth2',
};

/** Also loaded by other parts of the server, or available only in another runtime. */
const NOT_BUNDLED = ['zod', '@better-fetch/*', '@opentelemetry/*', 'bun:sqlite'];

/** The folder of the package that a module belongs to. */
const packageOf = (module) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0];

/** The licences require that their text is distributed with the code. */
const licenceOf = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}\n`;
};

/** Writes the licences of all packages that these modules belong to. */
export const writeLicences = (modules, target) => {
  const folders = [...new Set(modules.map(packageOf).filter(Boolean))].sort();
  writeFileSync(join(target, 'LICENSES.txt'), folders.map(licenceOf).join(`\n${'-'.repeat(80)}\n\n`));
};

export const bundleLibraries = async (root) => {
  const server = join(root, 'packages', 'server');
  const target = join(server, 'dist', 'libraries');
  const { metafile } = await build({
    absWorkingDir: server,
    entryPoints: LIBRARIES,
    outdir: target,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    chunkNames: 'shared-[hash]',
    external: NOT_BUNDLED,
    metafile: true,
    logLevel: 'warning',
  });
  writeLicences(
    Object.keys(metafile.inputs).map((path) => join(server, path)),
    target,
  );
};
