// Joins compiled modules, and the libraries that they import, into a few files: Node opened 1,400 files to start the
// server, which took longer than everything else it does then. See docs/decisions/packages.md.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { writeLicences } from './bundle-libraries.mjs';

/**
 * Of many modules, and written as ES modules. All other libraries stay as they are: what the older module format exports
 * is seen only when it runs, and some have native code, data or threads of their own.
 */
const JOINED = [
  'zod',
  '@modelcontextprotocol/server',
  '@faircopy/contract',
  '@faircopy/transcript',
  '@faircopy/client',
];

export const notJoined = (folder, ...kinds) => {
  const description = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const libraries = ['dependencies', ...kinds].flatMap((kind) => Object.keys(description[kind]));
  const names = libraries.filter((name) => !JOINED.includes(name));
  return [...names.flatMap((name) => [name, `${name}/*`]), 'bun:sqlite'];
};

/** Programs that the modules start: see `lib/process/programs.ts`. */
const PROGRAM = /\bprogramUrl\('([^']+)'\)/g;

const MODULE = /\.js$/;
const withoutLibraries = (path) => !path.includes('/node_modules/') && !path.includes('/dist/libraries/');

/** Names of the programs that the modules of a folder start. */
const programsIn = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && MODULE.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8'))
    .flatMap((text) => [...text.matchAll(PROGRAM)].map(([, name]) => name));

/** Modules find everything where it was before: beside themselves. */
const keepPlaces = (target) => ({
  name: 'keep-places',
  setup({ onLoad }) {
    onLoad({ filter: MODULE }, ({ path }) => {
      if (!withoutLibraries(path)) return;
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return;
      const place = `new URL(${JSON.stringify(relative(target, path))}, bundleFolder).href`;
      return { contents: text.replaceAll('import.meta.url', place) };
    });
  },
});

/** For every file: what libraries in the older module format ask for, and where the bundle is. */
const prologueOf = (target) => {
  const name = `/${target.split('/').slice(-2).join('/')}/`;
  return `import { createRequire as createBundleRequire } from 'node:module';
const require = createBundleRequire(import.meta.url);
const bundleFolder = import.meta.url.slice(0, import.meta.url.lastIndexOf('${name}') + ${name.length});`;
};

/** Bundles `entries` (output name → module) into `target`. */
const bundle = async ({ folder, target, entries }) => {
  const { metafile, outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: entries,
    outdir: target,
    chunkNames: 'shared/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: notJoined(folder),
    banner: { js: prologueOf(target) },
    plugins: [keepPlaces(target)],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  rmSync(target, { recursive: true, force: true });
  for (const { path, contents } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
  return Object.keys(metafile.inputs).map((path) => resolve(folder, path));
};

const folders = (root) => ({
  folder: join(root, 'packages', 'server'),
  source: join(root, 'packages', 'server', 'dist', 'src'),
  target: join(root, 'packages', 'server', 'dist', 'bundle'),
});

/** The server: its command, and the programs of its threads and processes, named as in `dist/src`. */
export const bundleServer = async (root) => {
  const { folder, source, target } = folders(root);
  const names = ['cli/main', ...new Set(programsIn(source))];
  const entries = Object.fromEntries(names.map((name) => [name, join(source, `${name}.js`)]));
  const modules = await bundle({ folder, target, entries });
  // Those of `dist/libraries` lie beside it.
  writeLicences(modules, target);
};
