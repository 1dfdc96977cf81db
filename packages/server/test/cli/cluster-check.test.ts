import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { parseConfig } from '../../src/app/config.ts';
import { nats as findings } from '../../src/cli/check/cluster.ts';
import type { Finding } from '../../src/cli/check/finding.ts';
import { natsAbsence, startOwnNats } from '../../src/cluster/testing/own-nats.ts';
import { openGateway, openWorker } from '../../src/cluster/testing/parties.ts';
import { VERSION } from '../../src/lib/process/version.ts';
import { startService } from '../http/service.ts';
import { runCheck } from './run-cli.ts';

const check = async (env: Record<string, string>, ...options: string[]) => (await runCheck(env, ...options)).findings;
const of = (findings: readonly Finding[], what: string) => findings.filter((finding) => finding.what === what);

const DEPLOYED = readFileSync(new URL('../../../../../deploy/container/nats.conf', import.meta.url), 'utf8')
  .replace(/^listen.*$/m, '')
  .replaceAll(/\$NATS_\w+/g, 'secret');

test('check reports whether NATS is usable, and who is connected', { skip: natsAbsence }, async (t) => {
  const nats = await startOwnNats({ settings: DEPLOYED });
  t.after(() => nats.close());
  const as = (user: string, password = 'secret') => nats.url.replace('//', `//${user}:${password}@`);
  const gateway = { NATS_URL: as('gateway'), FAIRCOPY_RECOGNISERS: 'none' };
  const clusterOf = async (env: Record<string, string>, isWorker = false) =>
    of(await findings(parseConfig(env), isWorker), 'cluster').map(({ verdict, says }) => `${verdict} ${says}`);

  const alone = of(await check(gateway), 'cluster')[0]!;
  assert.match(
    `${alone.verdict} ${alone.says}`,
    /^fail 0 gateways and 0 workers.*none recognises svc-1\.0-lite, svc-1\.0-pro, svc-1\.0-max/,
  );
  assert.match((await clusterOf({ NATS_URL: as('gateway'), FAIRCOPY_RECOGNISERS: '1' }))[0]!, /^ok 0 gateways/);
  assert.match((await clusterOf({ NATS_URL: as('worker') }, true))[0]!, /^warn 0 gateways/);

  const { pool, until } = await openGateway(t, as('gateway'), { version: VERSION });
  const lite = await openWorker(t, as('worker'), { version: VERSION, script: { slots: 3 }, tiers: ['svc-1.0-lite'] });
  await openWorker(t, as('worker'), { version: '7.0.0', name: 'newer' });
  await until(() => pool.credits === 3);
  const [some, other] = await clusterOf(gateway);
  assert.match(some!, /^fail 1 gateways and 1 workers with 3 slots.*none recognises svc-1\.0-pro, svc-1\.0-max/);
  assert.match(other!, /^warn the worker newer has version 7\.0\.0/);
  assert.match((await clusterOf({ ...gateway, FAIRCOPY_MODELS: 'svc-1.0-lite' }))[0]!, /^ok 1 gateways and 1 workers/);
  assert.equal(lite.link.figures.gateways, 1, 'the check does not count as a gateway');

  const worker = await check({ NATS_URL: as('worker') }, '--worker');
  assert.match(of(worker, 'cluster')[0]!.says, /^1 gateways and 1 workers found/);
  assert.deepEqual(of(worker, 'database'), []);
  const wrong = await findings(parseConfig({ NATS_URL: as('worker', 'wrong') }), true);
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
