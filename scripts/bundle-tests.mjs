// Bundles the modules of a full test run into a few hundred files that the test processes share.
// Without the bundle, each process opened up to 1,400 modules, which took longer than most of its tests.
import { readdirSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundleOptions, notJoined } from './bundle-options.mjs';

const PROGRAMS = 'programs';
const isOurs = (path) => /\/packages\/[^/]+\/dist\/(?:src|test)\//.test(path);

const nameOf = (entry) => basename(entry, '.mjs');

/** Tests that `test/remote-tier` runs again in another process, under other conditions. */
const TESTS_AS_PROGRAMS = ['http/transcribe.test.js', 'calls/both-modes.test.js'];

/** Programs that tests start with `testProgram`. */
const programsOf = (folder) => {
  const tests = join(folder, 'dist', 'test');
  const processes = readdirSync(tests, { recursive: true }).filter((path) => path.endsWith('-process.js'));
  return [...processes, ...TESTS_AS_PROGRAMS].map((path) => ({
    in: join(tests, path),
    out: join(PROGRAMS, path.replace(/\.js$/, '')),
  }));
};

/** The modules that an output runs: its own, and those in the files that it shares with other outputs. */
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

/** Throws if a test is missing from the file of its process, which would otherwise go unnoticed. */
const assertComplete = (folder, outputs, entries) => {
  const paths = Object.keys(outputs).filter((path) => outputs[path].entryPoint);
  for (const { entry, modules } of entries) {
    const path = paths.find((each) => resolve(folder, outputs[each].entryPoint) === entry);
    const found = new Set(path ? modulesOf(folder, outputs, path) : []);
    const lost = modules.filter((module) => !found.has(module));
    if (lost.length > 0) throw new Error(`${relative(folder, entry)} is missing ${lost.join(', ')}`);
  }
};

/**
 * Bundles `entries`, each of which imports its `modules`, and the programs that tests start. The output is below the
 * server, because some libraries are installed only there. Returns the paths of the entries, in order, and the folder
 * of the programs.
 */
export const bundleTests = async (root, entries) => {
  const folder = join(root, 'packages', 'server');
  const target = join(folder, 'node_modules', '.cache', 'test-groups');
  const { metafile } = await build({
    ...bundleOptions({ folder, target, isOurs, urlOf: (path) => JSON.stringify(pathToFileURL(path).href) }),
    entryPoints: [...entries.map(({ entry }) => ({ in: entry, out: nameOf(entry) })), ...programsOf(folder)],
    outExtension: { '.js': '.mjs' },
    external: [folder, root].flatMap((place) => notJoined(place, 'devDependencies')),
  });
  assertComplete(folder, metafile.outputs, entries);
  return {
    entries: entries.map(({ entry }) => relative(root, join(target, basename(entry)))),
    programs: join(target, PROGRAMS),
  };
};
