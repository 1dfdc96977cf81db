// Fails if an import breaks the architecture, or if files or rooms import each other in a cycle.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { circlesIn, fileOf, importsOf, sourcesIn } from './import-graph.mjs';

const root = resolve(new URL('..', import.meta.url).pathname);

/** Rooms that every other room may import. */
const BASE = ['lib', 'config', 'observability'];
const endpoint = (...rooms) => [...BASE, 'audio', 'calls', 'transport', ...rooms];

/** The rooms of the server and the rooms that each may import. A folder under `endpoints/` is a room. */
const MAY_IMPORT = {
  lib: [],
  config: ['lib'],
  observability: ['lib', 'config'],
  audio: BASE,
  speech: BASE,
  refine: BASE,
  storage: BASE,
  cluster: [...BASE, 'speech'],
  usage: [...BASE, 'storage'],
  accounts: [...BASE, 'storage', 'usage'],
  transcription: [...BASE, 'audio', 'speech', 'refine', 'accounts', 'usage'],
  idempotency: [...BASE, 'storage', 'usage'],
  calls: [...BASE, 'audio', 'accounts', 'usage', 'transcription', 'idempotency'],
  jobs: [...BASE, 'storage', 'accounts', 'audio', 'usage', 'calls'],
  transport: [...BASE, 'audio', 'accounts', 'calls', 'idempotency'],
  'endpoints/native': endpoint('storage', 'usage'),
  'endpoints/openai': endpoint('idempotency'),
  'endpoints/deepgram': endpoint('storage', 'accounts', 'usage', 'idempotency'),
  'endpoints/wyoming': endpoint(),
  'endpoints/jobs': endpoint('storage', 'accounts', 'usage', 'idempotency', 'jobs', 'endpoints/native'),
  'endpoints/voices': endpoint('storage', 'accounts'),
  'endpoints/console': endpoint('storage', 'accounts', 'usage', 'jobs', 'endpoints/native', 'endpoints/jobs'),
  'endpoints/operations': endpoint(),
  // The composition root, the command line and the entry points of the package may import every room.
  app: null,
  cli: null,
  exports: null,
};
/** The packages of this repository and those that each may import. */
const PACKAGES = {
  contract: [],
  transcript: [],
  client: ['contract'],
  console: ['contract', 'transcript', 'client'],
  server: ['contract', 'transcript', 'client', 'refiner-model', 'turn-model'],
};

/** Packages that browsers load. */
const FOR_BROWSERS = ['contract', 'transcript'];

const serverFolder = join(root, 'packages', 'server', 'src');
/** Endpoints of Faircopy's own API; every other folder belongs to a vendor. */
const OWN_ENDPOINTS = ['native', 'jobs', 'voices', 'console', 'operations'];
const VENDORS = readdirSync(join(serverFolder, 'endpoints')).filter((name) => !OWN_ENDPOINTS.includes(name));
/** The only names through which benchmarks may use the server. */
const entryPoints = Object.keys(JSON.parse(readFileSync(join(serverFolder, '..', 'package.json'), 'utf8')).exports).map(
  (name) => `@faircopy/server${name.slice(1)}`,
);

const faults = [];
const fault = (path, what) => faults.push(`${relative(root, path)}: ${what}`);

const checkPackage = (name, folder, mayUse) => {
  for (const path of sourcesIn(folder)) {
    const isTest = /\.test\.tsx?$/.test(path) || path.includes('/testing/');
    for (const target of importsOf(path)) {
      const sibling = /^@faircopy\/([^/]+)/.exec(target)?.[1];
      if (sibling && !mayUse.includes(sibling)) fault(path, `packages/${name} may not import @faircopy/${sibling}`);
      if (FOR_BROWSERS.includes(name) && target.startsWith('node:') && !isTest)
        fault(path, `packages/${name} may not import Node modules`);
    }
  }
};

const roomOf = (path) => {
  const [room, protocol] = relative(serverFolder, path).split('/');
  return room === 'endpoints' ? `${room}/${protocol}` : room;
};

/** Checks imports between rooms against MAY_IMPORT. Returns the rooms that each room imports. */
const checkRooms = () => {
  const rooms = new Map();
  for (const path of sourcesIn(serverFolder)) {
    const room = roomOf(path);
    if (!rooms.has(room)) rooms.set(room, new Set());
    if (!(room in MAY_IMPORT))
      fault(path, `"${room}" is not a room of the server; add it to scripts/check-imports.mjs`);
    for (const target of importsOf(path)) {
      const file = fileOf(path, target);
      if (file === null || relative(serverFolder, file).startsWith('..') || roomOf(file) === room) continue;
      rooms.get(room).add(roomOf(file));
      const allowed = MAY_IMPORT[room];
      if (allowed && !allowed.includes(roomOf(file))) fault(path, `${room} may not import ${roomOf(file)}`);
    }
  }
  return rooms;
};

/**
 * Checks that a vendor can be removed by deleting its folder and its line in app/vendors.ts: nothing else imports it,
 * and nothing else names its settings.
 */
const checkVendors = () => {
  const list = join(serverFolder, 'app', 'vendors.ts');
  for (const vendor of VENDORS) {
    const folder = join(serverFolder, 'endpoints', vendor);
    const outside = sourcesIn(serverFolder).filter((path) => relative(folder, path).startsWith('..'));
    const importers = outside.flatMap((path) =>
      importsOf(path)
        .filter((target) => fileOf(path, target)?.startsWith(`${folder}/`))
        .map(() => path),
    );
    for (const path of importers) if (path !== list) fault(path, `only app/vendors.ts may import endpoints/${vendor}`);
    if (importers.filter((path) => path === list).length !== 1)
      fault(list, `must import endpoints/${vendor} exactly once`);
    const settings = join(folder, 'settings.ts');
    const declared = existsSync(settings)
      ? [...readFileSync(settings, 'utf8').matchAll(/^ {4}(\w+): setting\(/gm)].map(([, name]) => name)
      : [];
    for (const path of outside.filter((one) => !one.endsWith('.test.ts')))
      for (const name of declared)
        if (new RegExp(`\\b${name}\\b`).test(readFileSync(path, 'utf8')))
          fault(path, `may not name the setting ${name} of endpoints/${vendor}`);
  }
};

const checkBench = (folder) => {
  for (const path of sourcesIn(folder)) {
    for (const target of importsOf(path)) {
      const file = fileOf(path, target);
      if (file !== null && relative(folder, file).startsWith('..')) fault(path, `bench may not import ${target}`);
      if (!target.startsWith('@faircopy/server') || entryPoints.includes(target)) continue;
      fault(path, `bench may not import ${target}; the entry points are in packages/server/src/exports`);
    }
  }
};

/** The imports of each file, including types, because a cycle of types is also hard to read. */
const fileGraph = (folders) =>
  new Map(
    folders
      .flatMap(sourcesIn)
      .map((path) => [path, new Set(importsOf(path).flatMap((target) => fileOf(path, target) ?? []))]),
  );

const packageFolders = Object.keys(PACKAGES).map((name) => join(root, 'packages', name, 'src'));
const benchFolder = join(root, 'bench');
for (const [name, mayUse] of Object.entries(PACKAGES)) checkPackage(name, join(root, 'packages', name, 'src'), mayUse);
const rooms = checkRooms();
checkVendors();
checkBench(benchFolder);
for (const circle of circlesIn(rooms)) faults.push(`a cycle of rooms: ${circle.join(' → ')}`);
const folders = [...packageFolders, join(root, 'packages', 'server', 'test'), benchFolder];
for (const circle of circlesIn(fileGraph(folders))) {
  faults.push(`a cycle of files: ${circle.map((path) => relative(root, path)).join(' → ')}`);
}

for (const line of faults) console.error(line);
if (faults.length > 0) process.exit(1);
console.log('imports follow the architecture');
