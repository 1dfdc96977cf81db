// Packs the built packages into a folder, by default `release`: `npm run pack [-- FOLDER]`.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { packAll, root, sizeTable } from './release/packages.mjs';

const folder = resolve(root, process.argv[2] ?? 'release');
mkdirSync(folder, { recursive: true });
console.log(sizeTable(packAll(folder)));
console.log(`\nTo install them: npm install ${folder}/*.tgz`);
