// Runs the end-to-end tests of files with every tier behind another service's OpenAI-compatible endpoint.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { testProgram } from '../programs/test-program.ts';

const FILES = ['../http/transcribe.test.js', '../calls/both-modes.test.js'];

/** Skips the admission tests, which hold recognisers for long and do not concern remote tiers. */
const PATTERN = '^(?!too busy)';

/** Tests that inspect the recogniser, and why they differ here. */
const EXEMPT = [
  // A bug in another server is a 503 here.
  'a bug inside a session is INTERNAL_ERROR in both modes, logged once with its request id and stack',
  // Hints are passed on only to servers whose languages are configured.
  'the fields may come in any order, even after the file',
  // The other server had not started the window.
  'a recognition time-out: SERVICE_UNAVAILABLE, nothing billed, the work cancelled',
];

const run = (files: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    // Without this variable of the outer test runner, the inner runner reports on standard output.
    const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
    const env = { ...inherited, FAIRCOPY_TEST_TIERS: 'remote' };
    const words = ['--enable-source-maps', '--test', '--test-reporter=tap', `--test-name-pattern=${PATTERN}`, ...files];
    execFile(process.execPath, words, { env, maxBuffer: 2 ** 26 }, (_failure, output) => resolve(output));
  });

test('a remote tier passes the tests of a local one', async () => {
  const output = await run(FILES.map((file) => testProgram(new URL(file, import.meta.url))));
  const named = (pattern: RegExp) => [...output.matchAll(pattern)].map(([, name = '']) => name.trim());
  const passed = named(/^ok \d+ - ([^#\n]+)/gm);
  const failed = named(/^not ok \d+ - ([^#\n]+)/gm);
  const others = failed.filter((name) => !EXEMPT.includes(name));
  assert.deepEqual(others, []);
  assert.ok(passed.length > 25, `${passed.length} tests passed`);
});
