import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ulid } from 'ulid';
import { systemClock } from '../lib/time/clock.ts';
import { silentLog } from '../observability/log.ts';
import { Metrics } from '../observability/metrics.ts';
import { openStorage, type StorageOptions } from '../storage/open.ts';
import { ProcessLease } from '../storage/process-lease.ts';
import { emptyDatabase, onBothEngines, postgresAbsence } from '../storage/testing/engines.ts';
import { postgresProxy } from '../storage/testing/postgres-proxy.ts';
import { LedgerMeter } from '../usage/ledger/ledger-meter.ts';
import type { UsageEntry } from '../usage/meter.ts';
import { entry } from '../usage/testing/entries.ts';
import { ledger } from '../usage/testing/ledger.ts';
import type { Claim } from './claim.ts';
import { type ClaimResult, IdempotencyKeys } from './idempotency-keys.ts';

const ANSWER = { contentType: 'application/json', body: '{"text":"what was said"}' };

/** One server process. */
const processOn = async ({ options }: { readonly options: StorageOptions }, node: string, diskBytesMax = 0) => {
  const storage = await openStorage(options);
  const lease = await ProcessLease.open({ storage, node });
  const meter = new LedgerMeter(storage);
  const keys = new IdempotencyKeys({
    storage,
    holderId: lease.id,
    settle: (requestId) => meter.settle(requestId),
    clock: systemClock,
    log: silentLog(),
    metrics: new Metrics(),
    memoryBytesMax: 1_000_000,
    diskBytesMax,
  });
  return {
    storage,
    claim: (key: string, over: { apiKey?: string; signal?: AbortSignal } = {}) =>
      keys.claim({
        accountId: 'a',
        keyId: 'k',
        apiKey: 'fc_secret',
        idempotencyKey: key,
        requestId: ulid(),
        signal: new AbortController().signal,
        ...over,
      }),
    record: (requestId: string, status: UsageEntry['status'] = 'success') =>
      meter.record(
        entry({ requestId, accountId: 'a', keyId: 'k', status, billedSeconds: status === 'success' ? 15 : 0 }),
      ),
    /** Leaves the lease behind, like a kill. */
    kill: async () => {
      await keys.close();
      await meter.close();
      await storage.close();
    },
    close: async () => {
      await keys.close();
      await meter.close();
      await lease.close();
      await storage.close();
    },
  };
};

const workOf = (claimed: ClaimResult): Claim => {
  assert.equal(claimed.kind, 'claimed');
  return (claimed as { claim: Claim }).claim;
};

const finish = async (claim: Claim, record: () => Promise<void>): Promise<void> => {
  claim.received('body');
  await claim.keep(ANSWER);
  await record();
  claim.done();
};

onBothEngines(
  'after a restart a retry is not billed again, and is answered from disk if answers are stored there',
  async (_t, place) => {
    for (const diskBytesMax of [0, 1_000_000]) {
      const key = `key ${diskBytesMax}`;
      const first = await processOn(place, 'one', diskBytesMax);
      const claim = workOf(await first.claim(key));
      claim.received('body');
      await claim.keep(ANSWER);
      await first.record(claim.requestId);
      // Killed after the ledger row, before the response.
      await first.kill();
      const second = await processOn(place, 'one', diskBytesMax);
      const claimed = await second.claim(key);
      if (diskBytesMax > 0) {
        assert.equal(claimed.kind, 'answered');
        if (claimed.kind !== 'answered') return;
        assert.equal(claimed.answer.body, ANSWER.body);
        assert.equal(claimed.answer.requestId, claim.requestId);
        claimed.checkBody('body');
        assert.throws(() => claimed.checkBody('another'), { code: 'IDEMPOTENCY_KEY_REUSED' });
      } else {
        const again = workOf(claimed);
        assert.deepEqual([again.requestId, again.isBilled], [claim.requestId, true]);
        assert.throws(() => again.received('another'), { code: 'IDEMPOTENCY_KEY_REUSED' });
        again.failed();
        const third = workOf(await second.claim(key));
        assert.deepEqual([third.requestId, third.isBilled], [claim.requestId, true]);
        third.received('body');
        third.failed();
      }
      await second.close();
    }
  },
);

onBothEngines('a request killed before its ledger row keeps its id, and a failed one does not', async (_t, place) => {
  const first = await processOn(place, 'one');
  const [unrecorded, failed] = [workOf(await first.claim('a')), workOf(await first.claim('b'))];
  await first.record(failed.requestId, 'SERVICE_UNAVAILABLE');
  await first.kill();
  const second = await processOn(place, 'one');
  const [again, anew] = [workOf(await second.claim('a')), workOf(await second.claim('b'))];
  assert.deepEqual([again.requestId, again.isBilled], [unrecorded.requestId, false]);
  assert.notEqual(anew.requestId, failed.requestId);
  assert.equal(anew.isBilled, false);
  await second.close();
});

onBothEngines(
  'a second process waits for the first, and gets its answer if answers are stored on disk',
  async (_t, place) => {
    for (const diskBytesMax of [0, 1_000_000]) {
      const [one, two] = [await processOn(place, 'one', diskBytesMax), await processOn(place, 'two', diskBytesMax)];
      const key = `key ${diskBytesMax}`;
      const claim = workOf(await one.claim(key));
      let settled = false;
      const waiting = two.claim(key).finally(() => {
        settled = true;
      });
      await wait(600);
      assert.equal(settled, false);
      await finish(claim, () => one.record(claim.requestId));
      const claimed = await waiting;
      if (diskBytesMax > 0) assert.equal(claimed.kind === 'answered' && claimed.answer.body, ANSWER.body);
      else assert.deepEqual([workOf(claimed).requestId, workOf(claimed).isBilled], [claim.requestId, true]);
      if (claimed.kind === 'claimed') claimed.claim.failed();
      await two.close();
      await one.close();
    }
  },
);

onBothEngines('after an uncertain commit the ledger decides', async (_t, place) => {
  const one = await processOn(place, 'one');
  const claim = workOf(await one.claim('a'));
  claim.received('body');
  await claim.keep(ANSWER);
  // The commit succeeded but its response was lost: the call fails, the row exists.
  await one.record(claim.requestId);
  claim.failed();
  const again = workOf(await one.claim('a'));
  assert.deepEqual([again.requestId, again.isBilled], [claim.requestId, true]);
  again.failed();
  await one.close();
});

onBothEngines(
  'a waiting caller can disconnect; the database holds nothing that the server can read',
  async (_t, place) => {
    const one = await processOn(place, 'one', 1_000_000);
    const claim = workOf(await one.claim('a'));
    const left = new AbortController();
    const waiting = one.claim('a', { signal: left.signal });
    left.abort(new Error('left'));
    await assert.rejects(waiting, /left/);
    await finish(claim, () => one.record(claim.requestId));
    const again = await one.claim('a');
    assert.equal(again.kind, 'answered');
    const [row] = await one.storage.read.selectFrom('idempotency_keys').selectAll().execute();
    const text = JSON.stringify(row, (_name, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    );
    assert.ok(row!.answer!.length > 0);
    assert.ok(!text.includes('what was said') && !Buffer.from(row!.answer!).includes('what was said'));
    await one.close();
  },
);

onBothEngines('a key expires after a day', async (_t, place) => {
  const one = await processOn(place, 'one', 1_000_000);
  const claim = workOf(await one.claim('a'));
  await finish(claim, () => one.record(claim.requestId));
  await one.close();
  const two = await processOn(place, 'one', 1_000_000);
  await two.storage.write
    .updateTable('idempotency_keys')
    .set({ expires_at_ms: Date.now() - 1 })
    .execute();
  const anew = workOf(await two.claim('a'));
  assert.notEqual(anew.requestId, claim.requestId);
  anew.failed();
  await two.close();
});

/** Fails a test whose key stays held. */
const GIVE_UP_MS = 30_000;

/** Two processes; the first one's connection to the database can be cut. */
const twoProcesses = async (t: TestContext) => {
  const options = await emptyDatabase(t, 'postgres');
  const proxy = await postgresProxy(options);
  t.after(() => proxy.close());
  const one = await processOn({ options: proxy.options }, 'one', 1_000_000);
  t.after(() => one.close());
  const two = await processOn({ options }, 'two', 1_000_000);
  t.after(() => two.close());
  return { proxy, one, two, claimOnTwo: (key: string) => two.claim(key, { signal: AbortSignal.timeout(GIVE_UP_MS) }) };
};

test('a key that an outage kept from being freed is freed afterwards', { skip: postgresAbsence }, async (t) => {
  const { proxy, one, claimOnTwo } = await twoProcesses(t);
  const [failed, done] = [workOf(await one.claim('failed')), workOf(await one.claim('done'))];
  done.received('body');
  await done.keep(ANSWER);
  await one.record(done.requestId);
  proxy.set('shut');
  failed.failed();
  done.done();
  await assert.rejects(one.claim('failed'), { code: 'SERVICE_UNAVAILABLE' });
  proxy.set('open');
  const [anew, again] = await Promise.all([claimOnTwo('failed'), claimOnTwo('done')]);
  assert.equal(workOf(anew).isBilled, false);
  assert.notEqual(workOf(anew).requestId, failed.requestId);
  assert.equal(again.kind === 'answered' && again.answer.requestId, done.requestId);
  workOf(anew).failed();
});

test('a key whose claim may have been written is freed', { skip: postgresAbsence }, async (t) => {
  const { proxy, one, claimOnTwo } = await twoProcesses(t);
  proxy.set('shut after the next commit');
  await assert.rejects(one.claim('a'), { code: 'SERVICE_UNAVAILABLE' });
  proxy.set('open');
  const claim = workOf(await claimOnTwo('a'));
  assert.equal(claim.isBilled, false);
  claim.failed();
});

test('after a commit whose response was lost, a repeat is a new request in every process', {
  skip: postgresAbsence,
}, async (t) => {
  const { proxy, one, two, claimOnTwo } = await twoProcesses(t);
  for (const next of [
    { process: one, claim: one.claim },
    { process: two, claim: claimOnTwo },
  ]) {
    const key = ulid();
    const lost = workOf(await one.claim(key));
    lost.received('body');
    await lost.keep(ANSWER);
    proxy.set('shut after the next commit');
    await assert.rejects(one.record(lost.requestId), { code: 'SERVICE_UNAVAILABLE' });
    proxy.set('open');
    lost.failed();
    const claim = workOf(await next.claim(key));
    assert.equal(claim.isBilled, false);
    await finish(claim, () => next.process.record(claim.requestId));
    const rows = (await ledger(two.storage)).filter(({ request_id }) =>
      [lost.requestId, claim.requestId].includes(request_id),
    );
    assert.deepEqual(
      rows.map(({ status, billed_ms }) => [status, billed_ms]),
      [
        ['SERVICE_UNAVAILABLE', 0],
        ['success', 15_000],
      ],
    );
  }
});
