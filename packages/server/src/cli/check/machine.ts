// Checks the machine: Node, memory, free disk space, and mistyped or dropped settings.
import { statfs } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { type Config, unknownSettingsIn } from '../../app/config.ts';
import type { Finding } from './finding.ts';
import { withParents } from './parents.ts';

const GIGABYTE = 2 ** 30;
/** About what the server needs for all three tiers; see docs/decisions/recogniser-processes.md. */
const MEMORY_BYTES_MIN = 4 * GIGABYTE;
const NODE_MAJOR_MIN = 20;
/** With less, SQLite will soon fail. */
const DATA_BYTES_MIN = 0.2 * GIGABYTE;

export const nodeVersion = (): Finding => {
  const major = Number(process.versions.node.split('.')[0]);
  const verdict = major >= NODE_MAJOR_MIN ? 'ok' : 'fail';
  return { what: 'node', verdict, says: `${process.version}; version ${NODE_MAJOR_MIN} or newer is required` };
};

export const memory = (): Finding => ({
  what: 'machine',
  verdict: totalmem() >= MEMORY_BYTES_MIN ? 'ok' : 'warn',
  says: `${availableParallelism()} cores, ${(totalmem() / GIGABYTE).toFixed(1)} GB of memory; all tiers need 4 GB`,
});

export const settings = (env: NodeJS.ProcessEnv): Finding[] =>
  unknownSettingsIn(env).map((says) => ({ what: 'settings', verdict: 'warn', says }));

/** Free bytes on the disk of the folder, or of its nearest existing parent. */
const freeBytes = async (folder: string): Promise<number | null> => {
  for (const path of withParents(folder)) {
    const found = await statfs(path).catch(() => null);
    if (found) return found.bavail * found.bsize;
  }
  return null;
};

export const diskSpace = async (config: Config, missingModelBytes: number): Promise<Finding[]> => {
  const places = [
    { folder: config.modelsDir, name: 'models', neededBytes: missingModelBytes },
    ...(config.databaseUrl === undefined
      ? [{ folder: config.dataDir, name: 'the database', neededBytes: DATA_BYTES_MIN }]
      : []),
  ];
  return Promise.all(
    places.map(async ({ folder, name, neededBytes }): Promise<Finding> => {
      const free = await freeBytes(folder);
      if (free === null) return { what: 'disk', verdict: 'warn', says: `the free space for ${name} is unknown` };
      const says = `${(free / GIGABYTE).toFixed(1)} GB free for ${name} in ${folder}`;
      if (free >= neededBytes) return { what: 'disk', verdict: 'ok', says };
      return { what: 'disk', verdict: 'fail', says: `${says}, ${(neededBytes / GIGABYTE).toFixed(1)} GB required` };
    }),
  );
};
