// Builds everything that is out of date: libraries, TypeScript, the server bundle, the browser client, the console and
// the documentation. tsc detects changes itself.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { writeBuildName } from './build-name.mjs';
import { prepareBundledRuntime } from './bundled-runtime.mjs';

const EXIT_CONFIG = 78;
const root = new URL('..', import.meta.url).pathname;
const consoleFolder = join(root, 'packages', 'console');
const require = createRequire(join(consoleFolder, 'package.json'));

const isInstalled = (name) => {
  try {
    return existsSync(require.resolve(`${name}/package.json`));
  } catch {
    return false;
  }
};

/** Runs a package's command with this Node, without a shell. */
const run = (name, command, args, cwd) => {
  const { bin } = require(`${name}/package.json`);
  const script = join(dirname(require.resolve(`${name}/package.json`)), typeof bin === 'string' ? bin : bin[command]);
  return spawnSync(process.execPath, [script, ...args], { cwd, stdio: 'inherit' }).status ?? 1;
};

const runOrExit = (...args) => {
  const status = run(...args);
  if (status !== 0) process.exit(status);
};

const newestIn = (path) => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestIn(join(path, name))));
};

const buildConsole = () => {
  const page = join(root, 'packages', 'server', 'dist', 'console', 'index.html');
  const inputs = [
    'src',
    'public',
    'index.html',
    'vite.config.ts',
    '../contract/dist/src',
    '../client/dist/src',
    '../transcript/dist/src',
  ];
  const isStale = inputs.some((input) => newestIn(join(consoleFolder, input)) > newestIn(page));
  if (isStale) runOrExit('vite', 'vite', ['build', '--logLevel', 'warn'], consoleFolder);
};

/** Bundles the client into one file. The worklet must stay a separate file. */
const buildBrowserClient = () => {
  const folder = join(root, 'packages', 'client');
  const built = join(folder, 'dist', 'browser', 'faircopy.js');
  const inputs = ['dist/src', 'vite.config.mjs', '../contract/dist/src'];
  if (!inputs.some((input) => newestIn(join(folder, input)) > newestIn(built))) return;
  runOrExit('vite', 'vite', ['build', '--logLevel', 'warn'], folder);
  copyFileSync(join(folder, 'dist', 'src', 'worklet.js'), join(folder, 'dist', 'browser', 'worklet.js'));
};

/** Renders the documentation's pages. Imports the renderer only when it is needed. */
const buildDocsSite = async () => {
  const built = join(root, 'packages', 'server', 'dist', 'docs', 'llms.txt');
  const inputs = ['docs', 'packages/server/assets/docs/page.html', 'scripts/build-docs.mjs'];
  if (!inputs.some((input) => newestIn(join(root, input)) > newestIn(built))) return;
  const { buildDocs } = await import('./build-docs.mjs');
  buildDocs(root, require('../server/package.json').homepage.replace(/#.*/, ''));
};

const buildLibraries = async () => {
  const built = join(root, 'packages', 'server', 'dist', 'libraries', 'LICENSES.txt');
  const inputs = ['package-lock.json', 'scripts/bundle-libraries.mjs'];
  if (!inputs.some((input) => newestIn(join(root, input)) > newestIn(built))) return;
  const { bundleLibraries } = await import('./bundle-libraries.mjs');
  await bundleLibraries(root);
};

/** Bundles the server, which the `faircopy` command runs, from the compiled modules. */
const buildServer = async () => {
  const built = join(root, 'packages', 'server', 'dist', 'bundle', 'LICENSES.txt');
  const packages = ['contract', 'transcript', 'client', 'server'].map((name) =>
    join('packages', name, 'dist/.tsbuildinfo'),
  );
  const inputs = ['package-lock.json', 'scripts/bundle.mjs', 'scripts/bundle-options.mjs', ...packages];
  if (!inputs.some((input) => newestIn(join(root, input)) > newestIn(built))) return;
  const { bundleServer } = await import('./bundle.mjs');
  await bundleServer(root);
};

const isBuilt = existsSync(join(root, 'packages', 'server', 'dist', 'bundle', 'cli', 'main.js'));
if (isInstalled('typescript') && isInstalled('vite')) {
  if (!isBuilt) console.error('Building Faircopy. This takes half a minute and is needed once.');
  prepareBundledRuntime(root);
  await buildLibraries();
  // `npm ci --omit=dev` omits types that the tests need. Without them, the code is compiled but not type-checked.
  if (isInstalled('fast-check')) runOrExit('typescript', 'tsc', ['-b'], root);
  else runOrExit('typescript', 'tsc', ['-b', '--noCheck'], root);
  await buildServer();
  buildBrowserClient();
  buildConsole();
  await buildDocsSite();
  writeBuildName(root);
} else if (!isBuilt) {
  console.error('Faircopy is not compiled, and the compiler is not installed. Run: npm ci');
  process.exit(EXIT_CONFIG);
}
