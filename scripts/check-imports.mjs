// Fails when a room imports one it must not see. The direction of imports is the architecture; this keeps it so.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = new URL('..', import.meta.url).pathname;

/** Rooms of the server and the rooms each may import, besides itself. */
const MAY_IMPORT = {
  platform: [],
  audio: ['platform'],
  speech: ['platform'],
  refine: ['platform'],
  storage: ['platform'],
  accounts: ['platform', 'storage'],
  usage: ['platform', 'storage'],
  transcription: ['platform', 'audio', 'speech', 'refine', 'accounts', 'usage'],
  http: ['platform', 'audio', 'storage', 'accounts', 'usage', 'transcription'],
  stream: ['platform', 'audio', 'accounts', 'usage', 'transcription'],
  // The composition root and the command line see everything.
  'app.ts': null,
  'server-status.ts': null,
  cli: null,
};
/** Packages of ours and the ones each may import. */
const PACKAGES = {
  contract: [],
  client: ['contract'],
  console: ['contract', 'client'],
  server: ['contract', 'client', 'refiner-model'],
};

const sources = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name === 'dist' ? [] : sources(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });

const importsOf = (path) =>
  [...readFileSync(path, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map((match) => match[1]);

const faults = [];
for (const [name, mayUse] of Object.entries(PACKAGES)) {
  const folder = join(root, 'packages', name, 'src');
  for (const path of sources(folder)) {
    const isTest = /\.test\.tsx?$/.test(path) || path.includes('/testing/');
    const room = relative(folder, path).split('/')[0];
    const say = (what) => faults.push(`${relative(root, path)}: ${what}`);
    for (const target of importsOf(path)) {
      const sibling = /^@faircopy\/([^/]+)/.exec(target)?.[1];
      if (sibling && !mayUse.includes(sibling)) say(`packages/${name} may not import @faircopy/${sibling}`);
      if (name === 'contract' && target.startsWith('node:') && !isTest) say('the contract imports nothing of Node');
      if (name !== 'server' || !target.startsWith('.')) continue;
      const targetRoom = relative(folder, resolve(dirname(path), target)).split('/')[0];
      if (targetRoom === '..') continue;
      if (!(room in MAY_IMPORT)) say(`"${room}" is not a room of the server; add it to scripts/check-imports.mjs`);
      const allowed = MAY_IMPORT[room];
      if (targetRoom !== room && allowed && !allowed.includes(targetRoom)) say(`${room} may not import ${targetRoom}`);
    }
  }
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log('imports follow the architecture');
