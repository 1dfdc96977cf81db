// Bundles the server's compiled modules and some of the libraries that they import into a few files.
// Without the bundle, Node opened 1,400 files, more than half of the start-up time. See docs/decisions/packages.md.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { writeLicences } from './bundle-libraries.mjs';
import { bundleOptions, notJoined } from './bundle-options.mjs';

/** References to programs that the modules start: see `lib/process/programs.ts`. */
const PROGRAM = /\bprogramUrl\('([^']+)'\)/g;

/** The names of the programs that the modules of a folder start. */
const programsIn = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8'))
    .flatMap((text) => [...text.matchAll(PROGRAM)].map(([, name]) => name));

const isOurs = (path) => !path.includes('/node_modules/') && !path.includes('/dist/libraries/');

/** The URL of the bundle folder. */
const prologueOf = (target) => {
  const name = `/${target.split('/').slice(-2).join('/')}/`;
  return `\nconst bundleFolder = import.meta.url.slice(0, import.meta.url.lastIndexOf('${name}') + ${name.length});`;
};

/** Bundles `entries` (output name → module) into `target`. */
const bundle = async ({ folder, target, entries }) => {
  const urlOf = (path) => `new URL(${JSON.stringify(relative(target, path))}, bundleFolder).href`;
  const { metafile, outputFiles } = await build({
    ...bundleOptions({ folder, target, isOurs, urlOf, prologue: prologueOf(target) }),
    entryPoints: entries,
    external: notJoined(folder),
    write: false,
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

/** Bundles the server: its command, and the programs of its threads and processes, named as in `dist/src`. */
export const bundleServer = async (root) => {
  const { folder, source, target } = folders(root);
  const names = ['cli/main', ...new Set(programsIn(source))];
  const entries = Object.fromEntries(names.map((name) => [name, join(source, `${name}.js`)]));
  const modules = await bundle({ folder, target, entries });
  // The licences of `dist/libraries` are in that folder.
  writeLicences(modules, target);
};
