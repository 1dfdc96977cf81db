// Test files of one folder share a process: loading the server costs more than most of its tests.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

// A hook outside a suite would wrap the tests of every file in the process.
const HOOK_OF_THE_FILE = /^(before|after|beforeEach|afterEach)\(/m;

// These measure the memory, the clock or the children of their own process.
const ALONE = /\/test\/(clock|cluster|fuzz|kills|overload|simulate|soak)\//;

const MOST_UNIT_TESTS = 12;
const MOST_SERVER_TESTS = 4;

/** A room of the server, a folder of tests, or a package. */
const folderOf = (path) => {
  const [, room] = /^(packages\/server\/dist\/(?:src|test)\/[^/]+)\//.exec(path) ?? [];
  return room ?? path.split('/dist/')[0];
};

/** Files to run instead of `files`: some of them, and entries that import the others. */
export const shareProcesses = (root, files) => {
  const entries = join(root, 'node_modules/.cache/test-groups');
  rmSync(entries, { recursive: true, force: true });
  mkdirSync(entries, { recursive: true });

  const groups = new Map();
  const alone = [];
  for (const path of files) {
    if (ALONE.test(path) || HOOK_OF_THE_FILE.test(readFileSync(join(root, path), 'utf8'))) alone.push(path);
    else groups.set(folderOf(path), [...(groups.get(folderOf(path)) ?? []), path]);
  }

  const shared = [...groups].flatMap(([folder, paths]) => {
    const most = folder.includes('/test/') ? MOST_SERVER_TESTS : MOST_UNIT_TESTS;
    const parts = Math.ceil(paths.length / most);
    return Array.from({ length: parts }, (_, part) => {
      const entry = join(
        entries,
        `${folder.replace(/packages\/|dist\//g, '').replaceAll('/', '-')}-${part + 1}.test.mjs`,
      );
      const members = paths.filter((_, index) => index % parts === part);
      const importOf = (path) => `import ${JSON.stringify(relative(dirname(entry), join(root, path)))};\n`;
      writeFileSync(entry, members.map(importOf).join(''));
      return relative(root, entry);
    });
  });
  return [...alone, ...shared];
};
