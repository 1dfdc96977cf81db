// Fails if a source file has more than 300 lines, or if a folder directly contains more than 20 source files.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const LINES_MAX = 300;
const FILES_MAX = 20;

const root = resolve(new URL('..', import.meta.url).pathname);
const faults = [];

const check = (folder) => {
  const entries = readdirSync(folder, { withFileTypes: true });
  const sources = entries.filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name)).map(({ name }) => name);
  if (sources.length > FILES_MAX)
    faults.push(`${relative(root, folder)}: ${sources.length} files; at most ${FILES_MAX} are allowed`);
  for (const name of sources) {
    if (/\.test\.tsx?$/.test(name)) continue;
    const lines = readFileSync(join(folder, name), 'utf8').split('\n').length - 1;
    if (lines > LINES_MAX) faults.push(`${relative(root, join(folder, name))}: ${lines} lines; at most ${LINES_MAX}`);
  }
  for (const entry of entries) if (entry.isDirectory()) check(join(folder, entry.name));
};

for (const name of readdirSync(join(root, 'packages')))
  if (readdirSync(join(root, 'packages', name)).includes('src')) check(join(root, 'packages', name, 'src'));

for (const line of faults) console.error(line);
if (faults.length > 0) process.exit(1);
console.log(`no source file has more than ${LINES_MAX} lines, no folder more than ${FILES_MAX} files`);
