// Checks the tarballs with package linters: publint for the manifests, attw for the types.
import { execFileSync } from 'node:child_process';

const PUBLINT = 'publint@0.3.25';
const ATTW = '@arethetypeswrong/cli@0.18.5';

const npx = (...args) => execFileSync('npx', ['--yes', ...args], { stdio: ['ignore', 'inherit', 'inherit'] });

export const lintPackages = (packed) => {
  for (const { name, path } of packed) {
    console.log(`\n${name}`);
    npx(PUBLINT, path, '--strict');
    // The packages are ES modules only, for Node 20 and newer and for bundlers. A manifest has no types.
    npx(ATTW, path, '--profile', 'esm-only', '--exclude-entrypoints', './package.json', '--format', 'ascii');
  }
};
