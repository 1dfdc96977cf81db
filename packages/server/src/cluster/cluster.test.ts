import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { ModelId } from '@faircopy/contract';
import { RecogniserUnavailable, type Recognition, WindowLost } from '../speech/recogniser.ts';
import { breakable, recognitionOf, windowOf } from '../speech/testing/recogniser-fixtures.ts';
import { ScriptedEngine } from '../speech/testing/scripted-engine.ts';
import { spoken } from '../speech/testing/tones.ts';
import { newId, write } from './messages.ts';
import { gatewaySubject, workerSubject } from './subjects.ts';
import { natsAbsence, startOwnNats } from './testing/own-nats.ts';
import { openGateway, openWorker } from './testing/parties.ts';
import { workerStateOf } from './testing/states.ts';

const WORDS = ['apple', 'bridge', 'candle'];
const window = (of: Parameters<typeof windowOf>[0] = {}) => windowOf({ samples: spoken(WORDS), ...of });
const never = () => new AbortController().signal;
const wants = (count: number, tier: ModelId = 'svc-1.0-lite') => new Map([[tier, count]]);

const clusterTest = (name: string, body: (t: TestContext, url: string) => Promise<void>): void => {
  test(name, { skip: natsAbsence, timeout: 60_000 }, async (t) => {
    const nats = await startOwnNats();
    t.after(() => nats.close());
    await body(t, nats.url);
  });
};

clusterTest('a window is recognised by a worker as it would be locally', async (t, url) => {
  const worker = await openWorker(t, url);
  const { pool, until, done } = await openGateway(t, url);
  await until(() => pool.credits === 1);
  assert.equal(pool.slots, 1);
  const asked = window({
    task: 'translate',
    pausePositions: [5, 3],
    precedingText: { text: 'before', language: 'de' },
    languageHint: 'de',
    vocabulary: [{ text: 'Ägypten', soundsLike: ['egipten'], weight: 2 }, { text: 'Nil' }],
    wantWordTimes: true,
  });
  const recognition = await pool.recognise(asked, never());
  assert.equal(recognition.text, WORDS.join(' '));
  assert.equal(recognition.words.length, 3);
  const { samples, ...got } = worker.engine.asked[0]!.window;
  const { samples: sent, ...rest } = asked;
  assert.deepEqual(got, rest);
  assert.equal(samples.length, sent.length);
  for (const [at, sample] of samples.entries()) assert.ok(Math.abs(sample - sent[at]!) <= 1 / 32_768);
  assert.deepEqual(done, ['worker']);
});

clusterTest('a window can take the slot of one on a worker of its tier', async (t, url) => {
  const worker = await openWorker(t, url, { tiers: ['svc-1.0-lite', 'svc-1.0-pro'] });
  await openWorker(t, url, { name: 'large', tiers: ['svc-1.0-max'] });
  const { pool, until } = await openGateway(t, url);
  await until(() => pool.credits === 2);
  worker.engine.hold();
  const running = window();
  const result = pool.recognise(running, never());
  assert.ok(pool.couldReplace(running, 'svc-1.0-pro'));
  assert.equal(pool.couldReplace(running, 'svc-1.0-max'), false);
  worker.engine.release();
  await result;
});

clusterTest('a worker that cannot recognise two windows in a row gets none for a while', async (t, url) => {
  const isGood = [false, true, false, false];
  const before = async (_: unknown, nth: number) => {
    if (!isGood[nth]) throw new RecogniserUnavailable('its process died');
  };
  await openWorker(t, url, { script: { slots: 4, before } });
  const { pool, until, lost } = await openGateway(t, url);
  for (const good of isGood) {
    await until(() => pool.credits === 4);
    assert.ok(pool.serves('svc-1.0-lite'));
    if (good) await pool.recognise(window(), never());
    else await assert.rejects(pool.recognise(window(), never()), WindowLost);
  }
  assert.deepEqual([pool.serves('svc-1.0-lite'), pool.freeSlots('svc-1.0-lite')], [false, 0]);
  assert.deepEqual(lost, ['unavailable', 'unavailable', 'unavailable']);
});

clusterTest('a worker whose models cannot be loaded lends nothing until they can', async (t, url) => {
  const recogniser = breakable(new ScriptedEngine({ slots: 2 }).recogniser);
  const { link } = await openWorker(t, url, { recogniser });
  const { pool, until, changes } = await openGateway(t, url);
  await until(() => pool.credits === 2);
  recogniser.setBroken(true);
  await until(() => !pool.serves('svc-1.0-lite'));
  assert.deepEqual([pool.credits, link.figures.lent], [0, 0]);
  recogniser.setBroken(false);
  await until(() => pool.credits === 2);
  assert.equal((await pool.recognise(window(), never())).text, WORDS.join(' '));
  assert.deepEqual(changes, ['worker joined', 'worker leaving', 'worker joined']);
});

clusterTest('background windows of a gateway without credits get slots that are idle elsewhere', async (t, url) => {
  await openWorker(t, url, { script: { slots: 4 } });
  const first = await openGateway(t, url, { name: 'first' });
  await first.until(() => first.pool.credits === 4);
  await first.pool.recognise(window(), never());
  await first.until(() => first.pool.credits === 4);
  const second = await openGateway(t, url, { name: 'second' });
  await second.until(() => second.pool.workers.length === 1);
  second.pool.setWaiting(wants(0), wants(9));
  await second.until(() => second.pool.credits === 3);
  assert.equal(first.pool.isContended, false);
  await second.pool.recognise(window(), never());
});

clusterTest('a credit is valid for one window; a worker lends one per slot, and all are returned', async (t, url) => {
  const worker = await openWorker(t, url, { script: { slots: 3 } });
  const { pool, until } = await openGateway(t, url);
  await until(() => pool.credits === 3);
  worker.engine.hold();
  const running = [1, 2, 3].map(() => pool.recognise(window(), never()));
  assert.equal(pool.freeSlots('svc-1.0-lite'), 0);
  await assert.rejects(pool.recognise(window(), never()), (thrown: WindowLost) => !thrown.wasBegun);
  await worker.engine.until(({ running: count }) => count === 3);
  worker.engine.release();
  await Promise.all(running);
  await until(() => pool.credits === 3);
  assert.deepEqual([worker.link.figures.busy, worker.link.figures.lent, pool.running], [0, 3, 0]);
});

clusterTest('a cancelled window is stopped at the worker, and its slot is lent again', async (t, url) => {
  const worker = await openWorker(t, url);
  const { pool, until } = await openGateway(t, url);
  await until(() => pool.credits === 1);
  worker.engine.hold();
  const stop = new AbortController();
  const running = pool.recognise(window(), stop.signal);
  await worker.engine.until(({ running: count }) => count === 1);
  stop.abort(new Error('not wanted'));
  await assert.rejects(running, /not wanted/);
  await worker.engine.until(({ asked }) => asked[0]?.state === 'aborted');
  worker.engine.release();
  await until(() => pool.credits === 1);
  assert.equal((await pool.recognise(window(), never())).text, WORDS.join(' '));
});

clusterTest('a tier is served by the workers that announce it', async (t, url) => {
  await openWorker(t, url, { tiers: ['svc-1.0-lite'] });
  const { pool, until } = await openGateway(t, url);
  await until(() => pool.credits === 1);
  assert.deepEqual([pool.serves('svc-1.0-lite'), pool.serves('svc-1.0-max')], [true, false]);
  assert.deepEqual([pool.freeSlots('svc-1.0-lite'), pool.freeSlots('svc-1.0-max')], [1, 0]);
});

clusterTest('a failed window counts as lost when the recogniser died, and as a bug otherwise', async (t, url) => {
  const failures = [new RecogniserUnavailable('it died'), new TypeError('a bug')];
  await openWorker(t, url, { script: { before: (_job, nth) => Promise.reject(failures[nth]) } });
  const { pool, until, lost } = await openGateway(t, url);
  await until(() => pool.credits === 1);
  await assert.rejects(pool.recognise(window(), never()), WindowLost);
  await until(() => pool.credits === 1);
  await assert.rejects(pool.recognise(window(), never()), (thrown) => !(thrown instanceof RecogniserUnavailable));
  assert.deepEqual(lost, ['unavailable']);
});

clusterTest('an idle credit goes to a waiting gateway, which gets its share', async (t, url) => {
  const worker = await openWorker(t, url, { script: { slots: 2 } });
  const first = await openGateway(t, url, { name: 'first' });
  await first.until(() => first.pool.credits === 2);
  const second = await openGateway(t, url, { name: 'second' });
  second.pool.setWaiting(wants(2), wants(0));
  await second.until(() => second.pool.credits === 2);
  assert.equal(worker.link.figures.lent, 2);
  await first.until(() => first.pool.isContended && first.pool.credits === 0);
});

clusterTest('two gateways that both wait get equal shares of a worker', async (t, url) => {
  await openWorker(t, url, { script: { before: () => wait(5) } });
  const gateways = [await openGateway(t, url, { name: 'a' }), await openGateway(t, url, { name: 'b' })];
  const windows = 60;
  let left = windows;
  const counts = await Promise.all(
    gateways.map(async ({ pool, until }) => {
      pool.setWaiting(wants(10), wants(0));
      let count = 0;
      for (;;) {
        await until(() => pool.credits > 0 || left <= 0);
        if (left <= 0) return count;
        left -= 1;
        try {
          await pool.recognise(window(), never());
          count += 1;
        } catch (failure) {
          // The worker may recall a credit at any moment: then the window waits for the next one.
          if (!(failure instanceof WindowLost) || failure.wasBegun) throw failure;
          left += 1;
        }
      }
    }),
  );
  assert.ok(Math.min(...counts) >= 0.4 * windows, `shares ${counts}`);
});

clusterTest('a draining worker finishes its windows and takes no new ones', async (t, url) => {
  const worker = await openWorker(t, url, { script: { slots: 2 } });
  const { pool, until } = await openGateway(t, url);
  await until(() => pool.credits === 2);
  worker.engine.hold();
  const running = pool.recognise(window(), never());
  await worker.engine.until(({ running: count }) => count === 1);
  const drained = worker.link.drain();
  await until(() => !pool.serves('svc-1.0-lite'));
  assert.equal(pool.freeSlots('svc-1.0-lite'), 0);
  worker.engine.release();
  assert.equal((await running).text, WORDS.join(' '));
  await drained;
});

clusterTest('a leaving gateway returns its credits at once', async (t, url) => {
  const worker = await openWorker(t, url);
  const first = await openGateway(t, url);
  await first.until(() => first.pool.credits === 1);
  const second = await openGateway(t, url);
  await first.pool.close();
  await second.until(() => second.pool.credits === 1);
  assert.equal(worker.link.figures.gateways, 1);
});

clusterTest('a silent worker loses its window, and its late answer is ignored', async (t, url) => {
  const worker = await openWorker(t, url);
  const { pool, until, lost, refused } = await openGateway(t, url);
  await until(() => pool.credits === 1);
  worker.engine.hold();
  const running = pool.recognise(window(), never());
  await worker.engine.until(({ running: count }) => count === 1);
  // Cut its connection without notice.
  await worker.bus.close();
  await assert.rejects(running, (thrown: WindowLost) => thrown instanceof WindowLost && thrown.wasBegun);
  assert.deepEqual(lost, ['silent']);
  assert.deepEqual([pool.workers.length, pool.running, refused.reasons.length], [0, 0, 0]);
});

clusterTest(
  'invalid messages, incompatible versions and forged answers are refused, logged once and counted',
  async (t, url) => {
    const worker = await openWorker(t, url);
    const { pool, until, refused, bus } = await openGateway(t, url);
    await until(() => pool.credits === 1);
    worker.engine.hold();
    const running = pool.recognise(window(), never());
    await worker.engine.until(({ running: count }) => count === 1);
    const subject = gatewaySubject(pool.id);
    const forged = recognitionOf({ text: 'forged' });
    const sent: [Uint8Array, string][] = [
      [Buffer.from('not JSON'), 'invalid'],
      [Buffer.from('{"kind":"hello"}'), 'invalid'],
      [write(workerStateOf({ slots: -5 })), 'invalid'],
      [write(workerStateOf({ slots: 1, credits: [newId(), newId()] })), 'invalid'],
      [write(workerStateOf({ tiers: ['svc-9.9-huge' as ModelId] })), 'invalid'],
      [write(workerStateOf({ version: '1.4.0' })), 'version'],
      [write(workerStateOf({ version: '2.2.3' })), 'version'],
      [
        write({ kind: 'answer', worker: worker.link.id, id: newId(), result: { recognition: forged } }),
        'unknown_lease',
      ],
      [write({ kind: 'answer', worker: newId(), id: newId(), result: { recognition: forged } }), 'unknown_lease'],
    ];
    // Twice each: the second one is counted but not logged.
    for (const [bytes] of [...sent, ...sent]) bus.publish(subject, bytes);
    worker.engine.release();
    assert.equal((await running).text, WORDS.join(' '), 'no forged answer was accepted');
    await until(() => refused.reasons.length === 2 * sent.length);
    assert.deepEqual(
      refused.reasons,
      [...sent, ...sent].map(([, reason]) => reason),
    );
    assert.ok(refused.lines.length < sent.length);
    assert.ok(refused.lines.some((line) => /1\.4\.0, this process has 1\.2\.3; only adjacent minor/.test(line)));
    assert.equal(pool.workers.length, 1);
    // Workers refuse them too.
    const nonsense = [
      Buffer.from('{'),
      Buffer.alloc(10),
      Buffer.alloc(1_100_000, 1).subarray(0, 1_048_000),
      Buffer.alloc(0),
    ];
    for (const bytes of nonsense) bus.publish(workerSubject(worker.link.id), bytes);
    await until(() => worker.refused.reasons.length === nonsense.length);
    await until(() => pool.credits === 1);
    assert.equal((await pool.recognise(window(), never())).text, WORDS.join(' '));
  },
);

clusterTest('adjacent minor versions work together', async (t, url) => {
  await openWorker(t, url, { version: '1.3.0' });
  await openWorker(t, url, { version: '1.1.9' });
  const { pool, until, refused } = await openGateway(t, url, { version: '1.2.3' });
  await until(() => pool.credits === 2);
  assert.deepEqual(refused.reasons, []);
});

clusterTest('a worker that sends invalid answers gets no windows for a while', async (t, url) => {
  const garbage = { text: 7 } as unknown as Recognition;
  await openWorker(t, url, { name: 'broken', script: { answer: () => garbage } });
  const { pool, until, lost, refused } = await openGateway(t, url);
  await until(() => pool.credits === 1);
  await assert.rejects(pool.recognise(window(), never()), WindowLost);
  assert.deepEqual([lost, refused.reasons], [['invalid_answer'], ['invalid']]);
  assert.equal(pool.serves('svc-1.0-lite'), false);
  await openWorker(t, url, { name: 'sound' });
  await until(() => pool.freeSlots('svc-1.0-lite') > 0);
  assert.equal((await pool.recognise(window(), never())).text, WORDS.join(' '));
});

test('the cluster recovers when NATS is killed and restarted', {
  skip: natsAbsence,
  timeout: 60_000,
}, async (t) => {
  const nats = await startOwnNats();
  t.after(() => nats.close());
  const worker = await openWorker(t, nats.url, { script: { slots: 2 } });
  const { pool, until, bus } = await openGateway(t, nats.url);
  await until(() => pool.credits === 2);
  worker.engine.hold();
  const running = pool.recognise(window(), never()).catch((thrown) => thrown);
  await worker.engine.until(({ running: count }) => count === 1);
  await nats.kill();
  await until(() => !bus.isConnected);
  assert.equal(pool.freeSlots('svc-1.0-lite'), 0);
  await nats.start();
  worker.engine.release();
  const outcome = await running;
  assert.ok(outcome instanceof WindowLost || (outcome as Recognition).text === WORDS.join(' '));
  await until(() => pool.credits === 2);
  assert.equal((await pool.recognise(window(), never())).text, WORDS.join(' '));
});

test('a NATS server with small messages or without login is reported', { skip: natsAbsence }, async (t) => {
  const nats = await startOwnNats({ settings: 'max_payload: 65536' });
  t.after(() => nats.close());
  const { notices } = await openGateway(t, nats.url);
  assert.ok(
    notices.some((line) => /up to 65536 bytes.*set max_payload to 1048576/.test(line)),
    notices.join('\n'),
  );
  assert.ok(
    notices.some((line) => /requires no login/.test(line)),
    notices.join('\n'),
  );
});
