import assert from 'node:assert/strict';
import test from 'node:test';
import { emptyFolder, runCli, runCliWith } from './run-cli.ts';

test('an unknown model is a usage error', async (t) => {
  const dataDir = await emptyFolder(t);
  for (const command of ['verify', 'pull', 'remove']) {
    const { code, stderr } = await runCli({ dataDir }, 'models', command, 'nope');
    assert.equal(code, 64, `${command}: ${stderr}`);
    assert.match(stderr, /There is no model "nope"\. Known: /);
  }
});

test('a model is chosen for a tier, shown as needed, and reset to the default', async (t) => {
  const modelsDir = await emptyFolder(t);
  const models = (...args: string[]) =>
    runCliWith({ env: { FAIRCOPY_MODELS_DIR: modelsDir, FAIRCOPY_DATA_DIR: modelsDir } }, 'models', ...args);
  const chosen = await models('use', 'svc-1.0-max=parakeet-tdt-0.6b-v3', 'max.de=whisper-medium');
  assert.equal(chosen.code, 0, chosen.stderr);
  assert.match(chosen.stderr, /models pull .*whisper-medium/);
  const { stdout } = await models('list', '--json');
  const rows = new Map(JSON.parse(stdout).models.map((row: { model: string }) => [row.model, row]));
  const parakeet = rows.get('parakeet-tdt-0.6b-v3') as Record<string, unknown>;
  assert.deepEqual([parakeet.needed, parakeet.state, parakeet.licence], [true, 'missing', 'CC-BY-4.0']);
  assert.equal((parakeet.languages as string[]).length, 25);
  assert.equal(parakeet.speed, null);
  const refused = await models('use', 'max.ja=parakeet-tdt-0.6b-v3');
  assert.deepEqual([refused.code, /does not support "ja"/.test(refused.stderr)], [64, true]);
  assert.equal((await models('use', 'max=default')).code, 0);
  assert.doesNotMatch((await models('list')).stdout, /parakeet-tdt-0\.6b-v3 +missing/);
});

test('the list says what happens without the segmentation model', async (t) => {
  const dataDir = await emptyFolder(t);
  const { stdout } = await runCliWith({ env: { FAIRCOPY_MODELS_DIR: dataDir } }, 'models', 'list');
  assert.match(stdout, /^speaker-segmentation .* without it, speakers are found from voice activity/m);
});

test('a speaker embedding model is chosen, listed as in use, named by check, and reset to the default', async (t) => {
  const dataDir = await emptyFolder(t);
  const env = { FAIRCOPY_MODELS_DIR: dataDir, FAIRCOPY_DATA_DIR: dataDir };
  const models = (...args: string[]) => runCliWith({ env }, 'models', ...args);
  const inUse = async () => {
    const { stdout } = await models('list', '--json');
    const rows = JSON.parse(stdout).models as { model: string; speakers?: boolean }[];
    return rows.filter(({ speakers }) => speakers).map(({ model }) => model);
  };
  assert.deepEqual(await inUse(), ['speaker-embedding']);
  const { code, stderr } = await models('use', 'speakers=wespeaker-resnet34-LM');
  assert.equal(code, 0, stderr);
  assert.match(stderr, /models pull .*wespeaker-resnet34-LM/);
  assert.match(stderr, /enrol them again/);
  assert.match(stderr, /not measured/);
  assert.deepEqual(await inUse(), ['wespeaker-resnet34-LM']);
  assert.match((await models('list')).stdout, /^wespeaker-resnet34-LM .*; in use for speakers/m);
  assert.match((await runCliWith({ env }, 'check')).stdout, /embeddings of wespeaker-resnet34-LM/);
  const refused = await models('use', 'speakers=whisper-base');
  assert.equal(refused.code, 64);
  assert.match(refused.stderr, /These can: speaker-embedding, wespeaker-resnet34-LM, campplus-voxceleb/);
  assert.equal((await models('use', 'speakers=default')).code, 0);
  assert.deepEqual(await inUse(), ['speaker-embedding']);
});
