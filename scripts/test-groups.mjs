// Groups test files so that those of a folder share a process: loading the server takes longer than most of its tests.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bundleTests } from './bundle-tests.mjs';

// Outside a suite, these hooks apply to the tests of all files in the process. `before` and `after` run once for all.
const HOOK_OF_EVERY_TEST = /^(beforeEach|afterEach)\(/m;

// Tests that measure the memory, the clock or the children of their own process.
const MEASURING = /\/test\/(clock|cluster|fuzz|kills|overload|simulate|soak)\//;
// The longest tests. If they started last, the other cores would be idle.
const LONG = /\/test\/(refine\/redaction|remote-tier|speakers|watch)\//;

const MOST_UNIT_TESTS = 12;
const MOST_SERVER_TESTS = 4;

/** A room of the server, a folder of tests, or a package. */
const folderOf = (path) => {
  const [, room] = /^(packages\/server\/dist\/(?:src|test)\/[^/]+)\//.exec(path) ?? [];
  return room ?? path.split('/dist/')[0];
};

const nameOf = (path) => path.replace(/packages\/|dist\//g, '').replaceAll('/', '-');

/** Entries to run instead of `files`, each importing one or more of them. The runner sorts them by name. */
const entriesFor = (root, files) => {
  const folder = join(root, 'node_modules/.cache/test-groups');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const writeEntry = (name, paths) => {
    const entry = join(folder, `${name}.test.mjs`);
    const importOf = (path) => `import ${JSON.stringify(relative(folder, join(root, path)))};\n`;
    writeFileSync(entry, paths.map(importOf).join(''));
    return { entry, modules: paths.map((path) => join(root, path)) };
  };

  const groups = new Map();
  const alone = [];
  for (const path of files) {
    const isAlone = MEASURING.test(path) || LONG.test(path);
    if (isAlone || HOOK_OF_EVERY_TEST.test(readFileSync(join(root, path), 'utf8'))) alone.push(path);
    else groups.set(folderOf(path), [...(groups.get(folderOf(path)) ?? []), path]);
  }
  // Their names sort tests that run alone to the front.
  const first = alone.map((path) => writeEntry(`alone-${nameOf(path.replace(/\.test\.js$/, ''))}`, [path]));
  const shared = [...groups].flatMap(([room, paths]) => {
    const most = room.includes('/test/') ? MOST_SERVER_TESTS : MOST_UNIT_TESTS;
    const parts = Math.ceil(paths.length / most);
    return Array.from({ length: parts }, (_, part) =>
      writeEntry(
        `shared-${nameOf(room)}-${part + 1}`,
        paths.filter((_, index) => index % parts === part),
      ),
    );
  });
  return [...first, ...shared];
};

/** Whether the tests of an entry may run from a bundle: tests of the server that do not measure their own process. */
const isBundled = ({ modules }) => modules.every((path) => path.includes('/packages/server/') && !MEASURING.test(path));

/**
 * Returns the entries to run, and the folder of the bundled programs that tests start. Runs of a few files skip the
 * bundle, so that stack traces point to the sources.
 */
export const shareProcesses = async (root, files, { isBundling }) => {
  const entries = entriesFor(root, files);
  const bundled = isBundling ? entries.filter(isBundled) : [];
  const others = entries.filter((each) => !bundled.includes(each)).map(({ entry }) => relative(root, entry));
  if (bundled.length === 0) return { entries: others };
  const made = await bundleTests(root, bundled);
  return { entries: [...others, ...made.entries], programs: made.programs };
};
