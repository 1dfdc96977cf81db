// Joins the modules of a whole run's tests into a few hundred files that its processes share: each process opened up to
// 1,400 modules, which took longer than most of its tests.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { notJoined } from './bundle.mjs';

const PROGRAMS = 'programs';
const OURS = /\/packages\/[^/]+\/dist\/(?:src|test)\/.*\.js$/;

/** Modules find everything where it was before: beside themselves. */
const keepPlaces = {
  name: 'keep-places',
  setup({ onLoad }) {
    onLoad({ filter: OURS }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return;
      return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)) };
    });
  },
};

const nameOf = (entry) => basename(entry, '.mjs');

/** What libraries in the older module format ask for. */
const PROLOGUE = `import { createRequire as createBundleRequire } from 'node:module';
const require = createBundleRequire(import.meta.url);`;

/** Tests that one test runs in another process, once more under other conditions (`test/remote-tier`). */
const TESTS_AS_PROGRAMS = ['http/transcribe.test.js', 'calls/both-modes.test.js'];

/** Programs that tests start by `testProgram`. */
const programsOf = (folder) => {
  const tests = join(folder, 'dist', 'test');
  const processes = readdirSync(tests, { recursive: true }).filter((path) => path.endsWith('-process.js'));
  return [...processes, ...TESTS_AS_PROGRAMS].map((path) => ({
    in: join(tests, path),
    out: join(PROGRAMS, path.replace(/\.js$/, '')),
  }));
};

/** Modules whose code an output runs: its own, and that of the files that it shares with others. */
const modulesOf = (folder, outputs, path, seen = new Set()) => {
  if (seen.has(path)) return [];
  seen.add(path);
  const { inputs, imports } = outputs[path];
  const own = Object.keys(inputs).filter((input) => inputs[input].bytesInOutput > 0);
  const shared = imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
  return [
    ...own.map((input) => resolve(folder, input)),
    ...shared.flatMap((each) => modulesOf(folder, outputs, each.path, seen)),
  ];
};

/** A test that is not in its process's file would be missed by nobody. */
const assertComplete = (folder, outputs, entries) => {
  const paths = Object.keys(outputs).filter((path) => outputs[path].entryPoint);
  for (const { entry, modules } of entries) {
    const path = paths.find((each) => resolve(folder, outputs[each].entryPoint) === entry);
    const found = new Set(path ? modulesOf(folder, outputs, path) : []);
    const lost = modules.filter((module) => !found.has(module));
    if (lost.length > 0) throw new Error(`${relative(folder, entry)} has lost ${lost.join(', ')}`);
  }
};

/**
 * Bundles `entries`, each of which imports its `modules`, and the programs that tests start. The result lies below the
 * server, since some libraries are installed for the server alone. Returns the paths of the entries, in order, and the
 * folder of the programs.
 */
export const bundleTests = async (root, entries) => {
  const folder = join(root, 'packages', 'server');
  const target = join(folder, 'node_modules', '.cache', 'test-groups');
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: [...entries.map(({ entry }) => ({ in: entry, out: nameOf(entry) })), ...programsOf(folder)],
    outdir: target,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'shared/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: [folder, root].flatMap((place) => notJoined(place, 'devDependencies')),
    banner: { js: PROLOGUE },
    plugins: [keepPlaces],
    metafile: true,
    logLevel: 'warning',
  });
  assertComplete(folder, metafile.outputs, entries);
  return {
    entries: entries.map(({ entry }) => relative(root, join(target, basename(entry)))),
    programs: join(target, PROGRAMS),
  };
};
