import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes, writeWav } from '../audio/wav-writer.ts';
import { startService } from '../http/service.ts';

const CLIENT = fileURLToPath(new URL('../../../../client/', import.meta.url));
const WORDS = story(8);

test('the examples in the README of the client run unchanged', async (t) => {
  const service = await startService(t);
  const readme = await readFile(join(CLIENT, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code ?? '');
  // Inside the repository, so that the package is found by its name.
  const folder = await mkdtemp(join(CLIENT, 'dist', 'readme-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const speech = pcm16Bytes(spoken(WORDS));
  await writeFile(join(folder, 'voice-note.wav'), writeWav(speech));
  await writeFile(join(folder, 'speech.pcm'), speech);
  const outputs: string[] = [];
  for (const [nth, code] of examples.entries()) {
    await writeFile(join(folder, `example-${nth}.mjs`), code);
    const env = { ...process.env, FAIRCOPY_URL: service.url, FAIRCOPY_API_KEY: service.key };
    const child = spawn(process.execPath, [`example-${nth}.mjs`], { cwd: folder, env, timeout: 60_000 });
    const [stdout, stderr, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    assert.equal(exitCode, 0, stderr);
    outputs.push(stdout);
  }
  assert.equal(outputs.length, 3);
  assert.equal(outputs[0], `${WORDS.join(' ')} 15\n`);
  assert.equal(outputs[1], `${WORDS.join(' ')} en\n`);
  assert.match(outputs[2] ?? '', /^UNAUTHORIZED 401 .* [0-9A-Z]{26} false\n$/);
});
