// Joins compiled modules, and the libraries that they import, into a few files: Node opened 1,400 files to start the
// server, which took longer than everything else it does then. See docs/decisions/packages.md.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

const notJoined = (folder) => {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const names = Object.keys(dependencies).filter((name) => !JOINED.includes(name));
  return [...names.flatMap((name) => [name, `${name}/*`]), 'bun:sqlite'];
};

/** `new URL('./worker.js', import.meta.url)`, also with the extension of the module itself. */
const PLACE = /new URL\(((?:[^()]|\([^()]*\))*?),\s*import\.meta\.url\)/g;
const PROGRAM = /['"`](\.{1,2}\/[^'"`$]*)(?:\.js|\$\{extname\(import\.meta\.url\)\})['"`]$/;

const MODULE = /\.js$/;
const withoutLibraries = (path) => !path.includes('/node_modules/') && !path.includes('/dist/libraries/');

/** The program that a module starts by its place, such as a worker thread; null for data. */
const programOf = (path, place) => {
  const [, name] = PROGRAM.exec(place) ?? [];
  const program = name === undefined ? null : resolve(dirname(path), `${name}.js`);
  return program !== null && existsSync(program) ? program : null;
};

/** Programs that the modules of a folder start. */
const programsIn = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && MODULE.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(PLACE)].map(([, place]) => programOf(path, place)))
    .filter((program) => program !== null);

/** Modules find programs in the bundle, and everything else where it was before: beside themselves. */
const keepPlaces = (target, bundledAt) => ({
  name: 'keep-places',
  setup({ onLoad }) {
    onLoad({ filter: MODULE }, ({ path }) => {
      if (!withoutLibraries(path)) return;
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return;
      const inBundle = (to) => `new URL(${JSON.stringify(relative(target, to))}, bundleFolder)`;
      const placed = text.replace(PLACE, (found, place) => {
        const program = programOf(path, place);
        return program === null ? found : inBundle(bundledAt(program));
      });
      return { contents: placed.replaceAll('import.meta.url', `${inBundle(path)}.href`) };
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

/** Bundles `entries` (output name → module) into `target`; `bundledAt` says where the bundle has a program. */
const bundle = async ({ folder, target, entries, bundledAt }) => {
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
    plugins: [keepPlaces(target, bundledAt)],
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

const isShipped = (path) => !/\.test\.js$|\/testing\//.test(path);
const folders = (root) => ({
  folder: join(root, 'packages', 'server'),
  source: join(root, 'packages', 'server', 'dist', 'src'),
  target: join(root, 'packages', 'server', 'dist', 'bundle'),
});

/** The server: its command, and the programs of its threads and processes, named as in `dist/src`. */
export const bundleServer = async (root) => {
  const { folder, source, target } = folders(root);
  const programs = [...new Set([join(source, 'cli', 'main.js'), ...programsIn(source).filter(isShipped)])];
  const entries = Object.fromEntries(programs.map((path) => [relative(source, path).replace(MODULE, ''), path]));
  const bundledAt = (program) => join(target, relative(source, program));
  const modules = await bundle({ folder, target, entries, bundledAt });
  // Those of `dist/libraries` lie beside it.
  writeLicences(modules, target);
};
