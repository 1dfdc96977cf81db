// Builds what is not up to date: TypeScript (which knows by itself), then the console's pages.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const consoleFolder = join(root, 'packages', 'console');
const require = createRequire(join(consoleFolder, 'package.json'));

/** Runs a package's command with this Node, without a shell in between. */
const run = (name, command, args, cwd) => {
  const { bin } = require(`${name}/package.json`);
  const script = join(dirname(require.resolve(`${name}/package.json`)), typeof bin === 'string' ? bin : bin[command]);
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

const newestIn = (path) => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestIn(join(path, name))));
};

run('typescript', 'tsc', ['-b'], root);

const page = join(consoleFolder, 'dist', 'site', 'index.html');
const inputs = ['src', 'public', 'index.html', 'vite.config.ts', '../contract/dist/src', '../client/dist/src'];
const isStale = inputs.some((input) => newestIn(join(consoleFolder, input)) > newestIn(page));
if (isStale) run('vite', 'vite', ['build', '--logLevel', 'warn'], consoleFolder);
