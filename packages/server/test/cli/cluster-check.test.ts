import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { natsAbsence, startOwnNats } from '../../src/cluster/testing/own-nats.ts';
import { openGateway, openWorker } from '../../src/cluster/testing/parties.ts';
import { VERSION } from '../../src/lib/process/version.ts';
import { startService } from '../http/service.ts';
import { BIN } from './run-cli.ts';

interface Finding {
  readonly what: string;
  readonly verdict: string;
  readonly says: string;
}

const check = (env: Record<string, string>, ...options: string[]): Promise<Finding[]> =>
  new Promise((resolve) => {
    const words = [BIN, 'check', '--json', ...options];
    execFile(process.execPath, words, { env: { ...process.env, PORT: '0', ...env } }, (_failure, stdout) =>
      resolve((JSON.parse(stdout) as { findings: Finding[] }).findings),
    );
  });
const of = (findings: readonly Finding[], what: string) => findings.filter((finding) => finding.what === what);

test('check reports whether NATS is usable, and who is connected', { skip: natsAbsence }, async (t) => {
  const nats = await startOwnNats({ settings: 'authorization { user: fair, password: "p/w" }' });
  t.after(() => nats.close());
  const url = `nats://fair:p%2Fw@127.0.0.1:${nats.port}`;
  const { pool, until } = await openGateway(t, url, { version: VERSION });
  const worker = await openWorker(t, url, { version: VERSION, script: { slots: 3 } });
  await until(() => pool.credits === 3);
  const findings = await check({ NATS_URL: url }, '--worker');
  assert.deepEqual(
    of(findings, 'NATS').map(({ verdict }) => verdict),
    ['ok'],
  );
  assert.match(of(findings, 'cluster')[0]!.says, /^1 gateways and 1 workers with 3 slots/);
  assert.deepEqual(of(findings, 'database'), []);
  assert.equal(worker.link.figures.gateways, 1, 'the check was lent nothing');
  const wrong = await check({ NATS_URL: `nats://fair:wrong@127.0.0.1:${nats.port}` });
  assert.equal(of(wrong, 'NATS')[0]?.verdict, 'fail');
  assert.equal(of(await check({}, '--worker'), 'NATS')[0]?.verdict, 'fail');
});

test('check calls the server of a remote tier', async (t) => {
  const server = await startService(t);
  const tier = { url: `${server.url}/v1`, key: server.key, model: 'svc-1.0-lite' };
  const remote = (of: object) => ({ FAIRCOPY_REMOTE_TIERS: JSON.stringify({ 'svc-1.0-max': { ...tier, ...of } }) });
  const [good] = of(await check(remote({})), 'remote');
  assert.equal(good?.verdict, 'ok', good?.says);
  const [refused] = of(await check(remote({ key: 'fc_wrong' })), 'remote');
  assert.deepEqual([refused?.verdict, /check the key/.test(refused?.says ?? '')], ['fail', true]);
  const [replaced] = of(await check(remote({ url: 'http://127.0.0.1:9/v1', fallback: true })), 'remote');
  assert.equal(replaced?.verdict, 'warn');
});
