// Runs all compiled tests. Arguments filter by path: `npm test -- audio` runs files whose path contains "audio".
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { shareProcesses } from './test-groups.mjs';

const root = new URL('..', import.meta.url).pathname;
// Browser tests have their own command (`npm run test:browser`), because they need Chromium and the models.
const inBrowser = process.argv.includes('--browser');
const wanted = process.argv.slice(2).filter((part) => part !== '--browser');

const testFiles = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return testFiles(path);
    return entry.name.endsWith('.test.js') ? [path] : [];
  });

/** The compiled form of a moved or removed test stays behind and must not run. */
const hasSource = (path) => existsSync(path.replace('/dist/', '/').replace(/\.js$/, '.ts'));

const files = ['packages/contract', 'packages/transcript', 'packages/client', 'packages/server', 'bench']
  .flatMap((name) => testFiles(join(root, name, 'dist')).filter(hasSource))
  .map((path) => relative(root, path))
  .filter((path) => path.includes('/test/browser/') === inBrowser)
  .filter((path) => wanted.length === 0 || wanted.some((part) => path.includes(part)))
  .sort();

if (files.length === 0) {
  console.error('no test matches', wanted);
  process.exit(1);
}
// Chosen for machines with two or more cores. Many tests wait more than they compute; browser tests compute more.
const atOnce = inBrowser ? 3 : 6;
// Source maps cost each process a third of a second, so only runs of selected files use them.
const sourceMaps = wanted.length > 0 ? ['--enable-source-maps'] : [];
// The spec reporter repeats failures at the very end, where a long log is read first.
const options = [...sourceMaps, '--test', `--test-concurrency=${atOnce}`, '--test-reporter=spec'];
// A single file runs under its own name. Browser tests start a server for each file anyway.
const isAlone = inBrowser || files.length === 1;
const isBundling = wanted.length === 0;
const { entries, programs } = isAlone ? { entries: files } : await shareProcesses(root, files, { isBundling });
const env = programs ? { ...process.env, TEST_PROGRAMS_FOLDER: programs } : process.env;
const runner = spawn(process.execPath, [...options, ...entries], { cwd: root, env, stdio: 'inherit' });
runner.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
