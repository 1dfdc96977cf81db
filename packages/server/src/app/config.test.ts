import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { ConfigFault } from '../config/parse.ts';
import { configurationDocument, parseConfig, SETTINGS, unknownSettingsIn } from './config.ts';

test('an empty environment gives the defaults of the contract', () => {
  const config = parseConfig({});
  assert.equal(config.port, 8080);
  assert.equal(config.maxStreams, 10);
  assert.equal(config.maxDurationSeconds, 300);
  assert.deepEqual(config.models, ['svc-1.0-lite', 'svc-1.0-pro', 'svc-1.0-max']);
});

test('all faults are reported at once, each with its variable', () => {
  const env = {
    PORT: 'eighty',
    FAIRCOPY_MODELS: 'svc-9',
    DATABASE_URL: 'mysql://x',
    FAIRCOPY_JOBS: 'yes',
    FAIRCOPY_WYOMING_PORT: '10300',
    FAIRCOPY_OIDC_ISSUER: 'https://id.example.org',
  };
  assert.throws(
    () => parseConfig(env),
    (thrown: unknown) => {
      assert.ok(thrown instanceof ConfigFault);
      assert.deepEqual(thrown.faults.map((fault) => fault.split(':')[0]).sort(), Object.keys(env).sort());
      return true;
    },
  );
});

test('jobs on PostgreSQL need a secret, which servers share', () => {
  const env = { FAIRCOPY_JOBS: 'true', DATABASE_URL: 'postgres://localhost/faircopy' };
  assert.throws(() => parseConfig(env), { message: /FAIRCOPY_JOBS: with DATABASE_URL, it needs FAIRCOPY_JOBS_SECRET/ });
  assert.ok(parseConfig({ ...env, FAIRCOPY_JOBS_SECRET: 'x'.repeat(32) }));
  assert.ok(parseConfig({ FAIRCOPY_JOBS: 'true' }));
});

test('a mail server needs a public URL, so that links do not depend on a request', () => {
  const env = { FAIRCOPY_SMTP_URL: 'smtp://127.0.0.1:25' };
  assert.throws(() => parseConfig(env), { message: /FAIRCOPY_SMTP_URL: needs FAIRCOPY_PUBLIC_URL/ });
  assert.ok(parseConfig({ ...env, FAIRCOPY_PUBLIC_URL: 'https://speech.example.org' }));
});

test('NATS credentials are complete or absent', () => {
  const url = (part: string) => ({ NATS_URL: `nats://${part}127.0.0.1:4222` });
  for (const part of ['user:@', ':password@'])
    assert.throws(() => parseConfig(url(part)), {
      message: /NATS_URL: needs a user and a password.*a token has no colon/,
    });
  for (const part of ['', 'token@', 'user:12345@', 'user:p%3A@']) assert.ok(parseConfig(url(part)), part);
  assert.throws(() => parseConfig({ NATS_USER: 'gateway', NATS_PASSWORD: '' }), {
    message: /NATS_USER: needs NATS_PASSWORD too, and it must not be empty/,
  });
  assert.throws(() => parseConfig({ NATS_PASSWORD: 'secret' }), { message: /NATS_PASSWORD: needs NATS_USER/ });
  assert.equal(parseConfig({ NATS_USER: 'gateway', NATS_PASSWORD: '12345' }).natsPassword, '12345');
});

test('an unknown tier is reported together with the known ones', () => {
  assert.throws(() => parseConfig({ FAIRCOPY_MODELS: 'svc-1.0-lite, zz' }), {
    message: /FAIRCOPY_MODELS: "zz" is not a tier; the tiers are svc-1\.0-lite, svc-1\.0-pro, svc-1\.0-max$/m,
  });
});

test('a gateway without workers or remote tiers is a fault', () => {
  assert.throws(() => parseConfig({ FAIRCOPY_RECOGNISERS: 'none' }), /FAIRCOPY_RECOGNISERS: "none" needs NATS_URL too/);
  assert.equal(parseConfig({ FAIRCOPY_RECOGNISERS: 'none', NATS_URL: 'nats://n:4222' }).recognisers, 'none');
});

test('a time-out of zero is kept: it expires at once', () => {
  assert.equal(parseConfig({ FAIRCOPY_RECOGNITION_TIMEOUT_MS: '0' }).recognitionTimeoutMs, 0);
});

test('an empty variable counts as not set', () => {
  assert.equal(parseConfig({ PORT: '' }).port, 8080);
});

test('no setting is declared twice', () => {
  for (const key of [(one: (typeof SETTINGS)[number]) => one[0], (one: (typeof SETTINGS)[number]) => one[1].env])
    assert.equal(new Set(SETTINGS.map(key)).size, SETTINGS.length);
});

test('variables of the command line are not reported as mistyped settings', () => {
  assert.deepEqual(unknownSettingsIn({ FAIRCOPY_URL: 'x', FAIRCOPY_API_KEY: 'y' }), []);
});

test('docs/configuration.md lists the settings (else: npm run docs:configuration)', async () => {
  const page = await readFile(new URL('../../../../../docs/configuration.md', import.meta.url), 'utf8');
  assert.equal(page, configurationDocument());
  for (const [, { env }] of SETTINGS) assert.equal(page.split(`| \`${env}\` |`).length, 2, env);
});
