// Tests what operators see of a cluster: readiness, log lines and metrics when workers, NATS or versions are missing.
import assert from 'node:assert/strict';
import test from 'node:test';
import { natsAbsence, startOwnNats } from '../../src/cluster/testing/own-nats.ts';
import { openGateway } from '../../src/cluster/testing/parties.ts';
import { BUILD } from '../../src/lib/process/version.ts';
import { breakable } from '../../src/speech/testing/recogniser-fixtures.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { readinessOf, samplesOf, startGateway, startWorker, until } from './gateway-and-worker.ts';
import { samplesAt } from './outages.ts';

const skip = natsAbsence;
const LITE = { FAIRCOPY_MODELS: 'svc-1.0-lite' };

test('a gateway without workers or NATS is not ready, and logs workers that join and leave', { skip }, async (t) => {
  const nats = await startOwnNats();
  t.after(() => nats.close());
  const gateway = await startGateway(t, nats.url);
  const said = (text: string) => gateway.lines.filter(({ msg }) => String(msg).startsWith(text));
  const metrics = async () => samplesOf((await gateway.app.metrics.page()).text);
  const ready = () => readinessOf(gateway.url);

  const alone = await ready();
  assert.deepEqual([alone.code, alone.status], [503, 'failed']);
  assert.match(alone.message!, /svc-1\.0-max: no worker serves it/);
  assert.equal((await metrics()).get('faircopy_ready'), 0);
  assert.equal((await metrics()).get('faircopy_cluster_workers'), 0);

  const first = await startWorker(t, nats.url, { ...LITE, FAIRCOPY_NODE_NAME: 'first' });
  assert.equal((await until(ready, ({ code }) => code === 200)).status, 'degraded');
  await startWorker(t, nats.url, { FAIRCOPY_NODE_NAME: 'second' });
  await until(ready, ({ status }) => status === 'ready');
  const both = await metrics();
  assert.equal(both.get('faircopy_ready'), 1);
  assert.equal(both.get('faircopy_tier_ready{model="svc-1.0-max"}'), 1);
  assert.deepEqual(
    said('a worker joined').map(({ worker, version, slots }) => [worker, version, slots]),
    [
      ['first', BUILD, 2],
      ['second', BUILD, 2],
    ],
  );
  await first.worker.close();
  await until(metrics, (samples) => samples.get('faircopy_cluster_workers') === 1);
  assert.deepEqual(
    said('a worker is leaving').map(({ worker }) => worker),
    ['first'],
  );
  assert.equal(said('a worker was lost').length, 0, 'it announced that it leaves');

  await nats.kill();
  const cut = await until(ready, ({ code }) => code === 503);
  assert.match(cut.message!, /svc-1\.0-max: NATS is not connected/);
  assert.deepEqual(
    said('a worker was lost').map(({ worker }) => worker),
    ['second'],
  );
  const off = await metrics();
  assert.equal(off.get('faircopy_ready'), 0);
  assert.equal(off.get('faircopy_cluster_worker_changes_total{change="lost"}'), 1);
  await nats.start();
  await until(ready, ({ status }) => status === 'ready');
});

test('a worker whose models cannot be loaded is not ready until they can', { skip }, async (t) => {
  const nats = await startOwnNats();
  t.after(() => nats.close());
  const recogniser = breakable(new ScriptedEngine().recogniser);
  const { url } = await startWorker(t, nats.url, {}, recogniser);
  const ready = () => readinessOf(url);
  await until(ready, ({ code }) => code === 200);
  recogniser.setBroken(true);
  assert.match((await until(ready, ({ code }) => code === 503)).message!, /no recogniser can load its models/);
  recogniser.setBroken(false);
  await until(ready, ({ code }) => code === 200);
});

test('an incompatible worker is not ready, and the gateway logs that it is refused', { skip }, async (t) => {
  const nats = await startOwnNats();
  t.after(() => nats.close());
  const other = await openGateway(t, nats.url, { version: '7.0.0', name: 'other' });
  const { url, lines } = await startWorker(t, nats.url, { FAIRCOPY_NODE_NAME: 'worker' });
  const refused = await until(
    () => readinessOf(url),
    ({ code }) => code === 503,
  );
  assert.match(refused.message!, /the gateway other has version 7\.0\.0, this process has .*only adjacent minor/);
  assert.ok(lines.some(({ msg, sender }) => /was refused: the gateway other/.test(String(msg)) && sender === 'other'));
  await until(
    () => other.refused.lines,
    (said) => said.some((line) => /the worker worker has version/.test(line)),
  );
  assert.deepEqual([other.pool.workers.length, other.refused.reasons[0]], [0, 'version']);
  // A compatible gateway makes it ready.
  await openGateway(t, nats.url, { version: BUILD });
  await until(
    () => readinessOf(url),
    ({ code }) => code === 200,
  );
});

test('the slots of a worker are counted once, by the worker', { skip }, async (t) => {
  const nats = await startOwnNats();
  t.after(() => nats.close());
  const gateways = [await startGateway(t, nats.url), await startGateway(t, nats.url)];
  const { url } = await startWorker(t, nats.url, {});
  const slots = async () => {
    const pages = gateways.map(async ({ app }) => samplesOf((await app.metrics.page()).text));
    const all = await Promise.all([...pages, samplesAt(url)]);
    assert.ok(all.slice(0, 2).every((samples) => samples.get('faircopy_cluster_workers') === 1));
    return all.reduce((sum, samples) => sum + (samples.get('faircopy_recogniser_slots') ?? 0), 0);
  };
  for (const gateway of gateways)
    await until(
      () => readinessOf(gateway.url),
      ({ code }) => code === 200,
    );
  assert.equal(await slots(), 2);
});
