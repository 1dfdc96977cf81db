// Packs the built packages into a folder: `npm run pack [-- FOLDER]`, by default `release`.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { packAll, root, sizeTable } from './release/packages.mjs';

const folder = resolve(root, process.argv[2] ?? 'release');
mkdirSync(folder, { recursive: true });
console.log(sizeTable(packAll(folder)));
console.log(`\nInstall them elsewhere: npm install ${folder}/*.tgz`);
