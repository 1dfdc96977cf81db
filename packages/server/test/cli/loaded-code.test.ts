// Which code a command loads: --help loads only the command's own code, and nothing of the server.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { emptyFolder, runCliWith } from './run-cli.ts';

const BUNDLE = fileURLToPath(new URL('../../bundle/', import.meta.url));

/** The modules of `dist/src` in a file of the bundle, which names each in a comment before its code. */
const modulesIn = async (path: string): Promise<string[]> =>
  [...(await readFile(path, 'utf8')).matchAll(/^\/\/ dist\/src\/(\S+)$/gm)].map(([, module]) => module!);

/** Modules of the server that a run loads, and their folders, as V8 reports them for coverage. */
const loadedBy = async (t: TestContext, ...args: string[]): Promise<{ rooms: Set<string>; files: string[] }> => {
  const folder = await emptyFolder(t);
  const { code, stderr } = await runCliWith({ env: { NODE_V8_COVERAGE: folder } }, ...args);
  assert.equal(code, 0, stderr);
  const [report] = await readdir(folder);
  const { result } = JSON.parse(await readFile(join(folder, report!), 'utf8')) as { result: { url: string }[] };
  const paths = result.filter(({ url }) => url.startsWith('file:')).map(({ url }) => fileURLToPath(url));
  // A module may have its imports in one file and its code in another.
  const files = [
    ...new Set((await Promise.all(paths.filter((path) => path.startsWith(BUNDLE)).map(modulesIn))).flat()),
  ];
  assert.ok(files.includes(join('cli', 'main.js')), 'the report lists the entry point');
  return { rooms: new Set(files.map((file) => file.split('/')[0]!)), files };
};

test('faircopy --help loads no command', async (t) => {
  const { files } = await loadedBy(t, '--help');
  assert.deepEqual(files.sort(), [
    'cli/command-table.js',
    'cli/command.js',
    'cli/main.js',
    'lib/process/no-telemetry.js',
    'lib/process/version.js',
  ]);
});

for (const name of Object.keys(COMMANDS))
  test(`faircopy ${name} --help loads the command line only`, async (t) => {
    const { rooms } = await loadedBy(t, name, '--help');
    assert.deepEqual([...rooms].sort(), ['cli', 'lib']);
  });

test('faircopy help COMMAND shows the options of the command', async () => {
  const { stdout } = await runCliWith({ env: {} }, 'help', 'check');
  assert.match(stdout, /--worker/);
});
