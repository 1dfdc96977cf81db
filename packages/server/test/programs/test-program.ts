// Programs that tests start in separate processes.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const TESTS = fileURLToPath(new URL('..', import.meta.url));

/** The path of a program; in a run of all tests, that of its bundle, which starts faster (scripts/bundle-tests.mjs). */
export const testProgram = (program: URL): string => {
  const path = fileURLToPath(program);
  const folder = process.env.TEST_PROGRAMS_FOLDER;
  const bundled = folder ? join(folder, relative(TESTS, path).replace(/\.js$/, '.mjs')) : path;
  return existsSync(bundled) ? bundled : path;
};
