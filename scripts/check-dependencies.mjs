// Fails if a package in a lock file is not pinned by hash, is fetched from a fixed address, runs an install script, has
// an unapproved licence, or makes npm warn on the oldest Node. Other lock files can be given as arguments.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = resolve(new URL('..', import.meta.url).pathname);

/** Licences that allow commercial use and require nothing more than a notice. */
const LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]);

/** Packages whose install scripts .npmrc prevents from running, and why the scripts are not needed. */
const SCRIPTS_NOT_RUN = {
  '@photostructure/sqlite': 'compiles a binary that is already prebuilt',
  'onnxruntime-node': 'fetches CUDA libraries; recognition runs on the CPU',
  esbuild: 'checks its binary; used for building the console only',
};

const OLDEST_NODE = 20;
/** The lowest major version of Node that a package requires; 0 if it does not say. */
const lowestNode = ({ engines }) =>
  Math.min(...(engines?.node ?? '').split('||').map((range) => Number(/(\d+)/.exec(range)?.[1] ?? 0)));

/** "(MIT OR GPL-3.0)" needs one approved licence, "MIT AND Apache-2.0" needs all of them. */
const isAgreed = (licence) => {
  const bare = licence.replace(/^\((.*)\)$/, '$1');
  if (bare.includes(' OR ')) return bare.split(' OR ').some(isAgreed);
  if (bare.includes(' AND ')) return bare.split(' AND ').every(isAgreed);
  return LICENCES.has(bare);
};

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** The lock file lists the workspaces as folders and as links to them. */
const isOurs = (path, entry) => entry.link === true || !path.includes('node_modules/');

const faultsOf = (path, entry) => {
  const faults = [];
  if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? '')) faults.push('has no sha512 integrity');
  // Without addresses, npm fetches each package from the configured registry, by name, version and hash.
  if (entry.resolved !== undefined) faults.push(`is fetched from ${entry.resolved}`);
  if (entry.hasInstallScript && !(nameOf(path) in SCRIPTS_NOT_RUN)) faults.push('runs a script when it is installed');
  if (!entry.dev && !isAgreed(entry.license ?? 'no licence')) faults.push(`has the licence ${entry.license ?? 'none'}`);
  // Such a package is unsuitable, unless tests run it on the oldest Node. Then remove "engines" from its lock entry.
  if (lowestNode(entry) > OLDEST_NODE)
    faults.push(`makes npm warn on Node ${OLDEST_NODE}: "engines" of its lock entry`);
  return faults;
};

/** An installed package must match the lock file. */
const installedFaults = (folder, path, entry) => {
  const file = join(folder, path, 'package.json');
  if (entry.dev || !existsSync(file)) return [];
  const { version, license } = JSON.parse(readFileSync(file, 'utf8'));
  if (version !== entry.version) return [`is installed as ${version}, not ${entry.version}`];
  return typeof license === 'string' && !isAgreed(license) ? [`declares the licence ${license}`] : [];
};

const check = (lockPath) => {
  const lock = JSON.parse(readFileSync(lockPath, 'utf8'));
  const packages = Object.entries(lock.packages).filter(([path, entry]) => path !== '' && !isOurs(path, entry));
  const faults = packages.flatMap(([path, entry]) =>
    [...faultsOf(path, entry), ...installedFaults(dirname(lockPath), path, entry)].map((what) => `${path} ${what}`),
  );
  return { faults, production: packages.filter(([, entry]) => !entry.dev) };
};

const given = process.argv.slice(2);
const lockPaths = given.length > 0 ? given : [join(root, 'package-lock.json')];
const results = lockPaths.map(check);
const faults = results.flatMap((result) => result.faults);
if (!/^ignore-scripts=true$/m.test(readFileSync(join(root, '.npmrc'), 'utf8')))
  faults.push('.npmrc does not set ignore-scripts=true');
for (const line of faults) console.error(line);
if (faults.length > 0) process.exit(1);

const licences = {};
for (const [, { license }] of results.flatMap(({ production }) => production))
  licences[license] = (licences[license] ?? 0) + 1;
const sorted = Object.entries(licences).sort(([, a], [, b]) => b - a);
console.log(`dependencies are pinned and approved: ${sorted.map(([name, count]) => `${count} ${name}`).join(', ')}`);
