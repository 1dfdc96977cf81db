// The version of this package.
import { readFileSync } from 'node:fs';

/** Compiled code is one folder deeper than its source. */
const packageJson = new URL(
  import.meta.url.endsWith('.ts') ? '../../../package.json' : '../../../../package.json',
  import.meta.url,
);

export const VERSION: string = (JSON.parse(readFileSync(packageJson, 'utf8')) as { version: string }).version;
