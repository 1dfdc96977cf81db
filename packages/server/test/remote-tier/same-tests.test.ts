// The end-to-end tests of files, with every tier behind another service's OpenAI-compatible endpoint.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const FILES = ['../http/transcribe.test.js', '../calls/both-modes.test.js'];

/** That of admission says nothing of recognisers, and holds them for long. */
const PATTERN = '^(?!too busy)';

/** Tests that look into the recogniser itself, and why they see something else there. */
const EXEMPT = [
  // A bug of another's server is that server's; here it is a 503.
  'a bug inside a session is INTERNAL_ERROR in both modes, logged once with its request id and stack',
  // The hint is not passed on: for other servers a language is an order.
  'fields may follow the audio, and still hold',
  'the fields may come in any order, even after the file',
  // The server had not begun.
  'a recognition time-out: SERVICE_UNAVAILABLE, nothing billed, the work cancelled',
];

const run = (files: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    // Without the mark of a test runner, the inner one reports to us.
    const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
    const env = { ...inherited, FAIRCOPY_TEST_TIERS: 'remote' };
    const words = ['--enable-source-maps', '--test', '--test-reporter=tap', `--test-name-pattern=${PATTERN}`, ...files];
    execFile(process.execPath, words, { env, maxBuffer: 2 ** 26 }, (_failure, output) => resolve(output));
  });

test('a tier on an OpenAI-compatible server passes the tests of a local one', async () => {
  const output = await run(FILES.map((file) => fileURLToPath(new URL(file, import.meta.url))));
  const named = (pattern: RegExp) => [...output.matchAll(pattern)].map(([, name = '']) => name.trim());
  const passed = named(/^ok \d+ - ([^#\n]+)/gm);
  const failed = named(/^not ok \d+ - ([^#\n]+)/gm);
  const others = failed.filter((name) => !EXEMPT.includes(name));
  assert.deepEqual(others, []);
  assert.ok(passed.length > 25, `${passed.length} tests passed`);
});
