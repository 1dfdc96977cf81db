// `faircopy doctor`: its recordings, and what it prints.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUploadDecoding } from '../../src/audio/create-upload-decoding.ts';
import { busyNotice, describeFindings, type Findings } from '../../src/cli/doctor/findings.ts';
import { sampleSpeech } from '../../src/cli/doctor/sample-speech.ts';
import { weightsFor } from '../../src/speech/cascade/tiers.ts';
import { machineKind, readSpeed } from '../../src/speech/speed/measured-speed.ts';
import { storedModels } from '../../src/speech/testing/stored-models.ts';
import { runCliWith } from './run-cli.ts';

test('it measures with recordings of usual length, each with its own noise, always the same', async (t) => {
  const decoding = createUploadDecoding();
  t.after(() => decoding.close());
  const recordings = await sampleSpeech(decoding);
  assert.equal(recordings.length, 6);
  for (const samples of recordings) {
    assert.ok(samples.length > 20 * 16_000 && samples.length < 30 * 16_000, `${samples.length} samples`);
    assert.ok(samples.every((sample) => Math.abs(sample) <= 1));
  }
  const [easy, , hard] = recordings;
  assert.notDeepEqual(easy!.slice(0, 16_000), hard!.slice(0, 16_000));
  assert.deepEqual(await sampleSpeech(decoding), recordings);
});

/** Models are loaded and measured while other tests run. */
const TIMEOUT_MS = 300_000;
const doctor = (env: Record<string, string>, ...args: string[]) =>
  runCliWith({ env, timeoutMs: TIMEOUT_MS }, 'doctor', ...args);

test('every tier has figures, in a table and as JSON', async (t) => {
  const stored = await storedModels(weightsFor(['svc-1.0-lite']));
  if ('skip' in stored) return t.skip(stored.skip);
  const env = { FAIRCOPY_MODELS: 'svc-1.0-lite', FAIRCOPY_RECOGNISERS: '1' };
  const { code, stdout } = await doctor(env, '--seconds', '3', '--json');
  assert.equal(code, 0);
  const findings: Findings = JSON.parse(stdout);
  assert.equal(findings.recognisers, 1);
  assert.ok(findings.memoryBytes > 100 * 2 ** 20);
  assert.deepEqual(
    findings.tiers.map(({ tier }) => tier),
    ['svc-1.0-lite'],
  );
  const { speed, aloneMs, aloneSpeechSeconds } = findings.tiers[0]!;
  // These bounds hold even on a very slow machine.
  assert.ok(speed > 0.1 && aloneMs > 0 && aloneSpeechSeconds > 20);
  const machine = machineKind('cpu');
  for (const { model, speed: alone } of findings.models) {
    assert.ok(alone > 0.1, model);
    assert.equal(await readSpeed(stored.store.folderOf(model), machine), alone);
  }
  assert.deepEqual(
    findings.models.map(({ model }) => model),
    weightsFor(['svc-1.0-lite']),
  );
  const description = describeFindings(findings, 2);
  assert.match(description, /svc-1\.0-lite +\d+\.\d +\d+ +24 s in \d+\.\d s\n/);
  assert.match(description, /1 recogniser on 2 cores, \d+\.\d GB in use\.\nLimited by: /);
});

test('the machine is limited by the resource of which more would help', () => {
  const tiers = [{ tier: 'svc-1.0-lite', speed: 10, aloneMs: 2_500, aloneSpeechSeconds: 24 }] as const;
  const models = [
    { model: 'quick', speed: 31.4 },
    { model: 'slow', speed: 0.84 },
  ];
  const say = (withOneMoreCore: number, withOneMoreGigabyte: number) =>
    describeFindings({ tiers, models, recognisers: 4, memoryBytes: 2 ** 31, withOneMoreCore, withOneMoreGigabyte }, 4);
  assert.match(say(5, 4), /: cores\. One more core gives about 25 % more, one more GB nothing by itself\./);
  assert.match(say(4, 5), /: memory\. One more core gives nothing by itself, one more GB about 25 % more\./);
  assert.match(say(4, 4), /both cores and memory, or FAIRCOPY_RECOGNISERS\./);
  assert.match(
    say(5, 4),
    /svc-1\.0-lite +10\.0 +7 +24 s in 2\.5 s\n\nMODEL ALONE +SPEED\nquick +31 × real time\nslow +0\.8 × real time\n\n4 recognisers on 4 cores, 2\.0 GB in use\.\n/,
  );
});

test('an invalid setting is reported in a sentence', async () => {
  const { code, stderr } = await doctor({ FAIRCOPY_MODELS: 'svc-9' });
  assert.equal(code, 78);
  assert.match(stderr, /FAIRCOPY_MODELS/);
});

test('a busy machine is mentioned, an idle one is not', () => {
  assert.equal(busyNotice(0.4, 2), null);
  assert.match(busyNotice(7.25, 2) ?? '', /busy \(load 7\.3 on 2 cores\)/);
});
