#!/usr/bin/env node
// The `faircopy` command. In a fresh clone the code is not compiled yet: the first call does it.
import { existsSync } from 'node:fs';

const entry = new URL('../dist/bundle/cli/main.js', import.meta.url);
const build = new URL('../../../scripts/build.mjs', import.meta.url);
if (!existsSync(entry)) {
  if (!existsSync(build)) {
    console.error('faircopy is not built: this copy has neither compiled code nor the script that makes it.');
    process.exit(70);
  }
  console.error('Building faircopy, once …');
  await import(build.href);
}
await import(entry.href);
