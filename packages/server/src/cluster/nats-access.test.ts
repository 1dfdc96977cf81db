// Tests every way to authenticate to a NATS server, and the permissions in deploy/container/nats.conf.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { nkeys } from '@nats-io/transport-node';
import { windowOf } from '../speech/testing/recogniser-fixtures.ts';
import { NatsBus } from './nats-bus.ts';
import type { ClusterSettings } from './settings.ts';
import { makeNatsCredentials } from './testing/nats-credentials.ts';
import { natsAbsence, startOwnNats } from './testing/own-nats.ts';
import { natsConfig, openGateway, openWorker } from './testing/parties.ts';

const skip = natsAbsence;
/** Compiled tests lie in dist/. */
const ROOT = new URL('../../../../../', import.meta.url);

const folderOf = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'faircopy-access-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const isLetIn = async (url: string, more: Partial<ClusterSettings> = {}): Promise<boolean> => {
  const bus = new NatsBus(natsConfig(url, more), 'access', { warn: () => {}, info: () => {} });
  await bus.start();
  const { isConnected } = bus;
  await bus.close();
  return isConnected;
};

test('user and password, in the address or as settings', { skip }, async (t) => {
  const nats = await startOwnNats({ settings: 'authorization { user: ada, password: "p@ss" }' });
  t.after(() => nats.close());
  assert.equal(await isLetIn(nats.url, { natsUser: 'ada', natsPassword: 'p@ss' }), true);
  assert.equal(await isLetIn(nats.url.replace('//', '//ada:p%40ss@')), true);
  assert.equal(await isLetIn(nats.url, { natsUser: 'ada', natsPassword: 'wrong' }), false);
  assert.equal(await isLetIn(nats.url), false);
});

test('a token in the address', { skip }, async (t) => {
  const nats = await startOwnNats({ settings: 'authorization { token: "s3cret" }' });
  t.after(() => nats.close());
  assert.equal(await isLetIn(nats.url.replace('//', '//s3cret@')), true);
  assert.equal(await isLetIn(nats.url), false);
});

test('the seed of an nkey, in a file', { skip }, async (t) => {
  const pair = nkeys.createUser();
  const nats = await startOwnNats({ settings: `authorization { users: [ { nkey: ${pair.getPublicKey()} } ] }` });
  t.after(() => nats.close());
  const natsCredsFile = join(folderOf(t), 'seed');
  writeFileSync(natsCredsFile, `${new TextDecoder().decode(pair.getSeed())}\n`);
  assert.equal(await isLetIn(nats.url, { natsCredsFile }), true);
  await assert.rejects(isLetIn(nats.url, { natsCredsFile: '/no/such/file' }), /NATS_CREDS_FILE: .* \(ENOENT\)/);
});

test('credentials of an account, in a .creds file', { skip }, async (t) => {
  const { settings, creds } = makeNatsCredentials();
  const nats = await startOwnNats({ settings });
  t.after(() => nats.close());
  const natsCredsFile = join(folderOf(t), 'user.creds');
  writeFileSync(natsCredsFile, creds);
  assert.equal(await isLetIn(nats.url, { natsCredsFile }), true);
  writeFileSync(natsCredsFile, makeNatsCredentials().creds);
  assert.equal(await isLetIn(nats.url, { natsCredsFile }), false, 'an account unknown to the server');
});

test('TLS with a private certificate authority', { skip }, async (t) => {
  const folder = folderOf(t);
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  try {
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'],
        ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate],
      ],
      { stdio: 'ignore' },
    );
  } catch {
    t.skip('openssl is not installed');
    return;
  }
  const nats = await startOwnNats({ settings: `tls { cert_file: "${certificate}", key_file: "${key}" }` });
  t.after(() => nats.close());
  const url = nats.url.replace('nats:', 'tls:');
  assert.equal(await isLetIn(url, { natsCaFile: certificate }), true);
  assert.equal(await isLetIn(url), false, 'an untrusted certificate');
});

test('the deployed permissions are sufficient for gateways and workers, and minimal', { skip }, async (t) => {
  const settings = readFileSync(new URL('deploy/container/nats.conf', ROOT), 'utf8').replace(/^listen.*$/m, '');
  // A password of digits, given to NATS as Compose does.
  const compose = readFileSync(new URL('compose.yaml', ROOT), 'utf8');
  const env = Object.fromEntries(
    [...compose.matchAll(/^ {6}(NATS_\w+_PASSWORD): '(.*)'$/gm)].map(([, name, value]) => [
      name!,
      value!.replace(/\$\{\w+:-\}/, '12345'),
    ]),
  );
  assert.equal(Object.keys(env).length, 2);
  const nats = await startOwnNats({ settings, env });
  t.after(() => nats.close());
  const as = (user: string) => nats.url.replace('//', `//${user}:12345@`);
  const worker = await openWorker(t, as('worker'));
  const { pool, until, notices } = await openGateway(t, as('gateway'));
  await until(() => pool.credits === 1);
  await pool.recognise(windowOf(), new AbortController().signal);
  assert.deepEqual([notices, worker.notices], [[], []]);
  // A worker's user cannot act as a gateway.
  const thief = await openGateway(t, as('worker'));
  while (thief.notices.length === 0) await wait(20);
  assert.match(thief.notices.join('\n'), /[Pp]ermissions? [Vv]iolation/);
  assert.equal(thief.pool.credits, 0);
});
