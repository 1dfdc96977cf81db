// The version of this package and of its build.
import { readFileSync } from 'node:fs';

/** Compiled code is one folder deeper than its source. */
const server = new URL(import.meta.url.endsWith('.ts') ? '../../../' : '../../../../', import.meta.url);

const readJson = <T>(path: string): T => JSON.parse(readFileSync(new URL(path, server), 'utf8')) as T;

export const VERSION = readJson<{ version: string }>('package.json').version;

/** Written by scripts/build.mjs; null if the code was compiled by other means. */
const buildName = (): string | null => {
  try {
    return readJson<{ build: string | null }>('dist/src/build.json').build;
  } catch {
    return null;
  }
};

/** With the commit of the build, such as 0.1.0+24df09bab1c2: distinguishes two builds of one version. */
export const BUILD: string = [VERSION, buildName()].filter((part) => part !== null).join('+');
