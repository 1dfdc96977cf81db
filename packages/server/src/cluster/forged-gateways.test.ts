// On an open bus, anyone can announce gateways: their number is bounded, and they take little from a real one.
import assert from 'node:assert/strict';
import test from 'node:test';
import { WindowLost } from '../speech/recogniser.ts';
import { windowOf } from '../speech/testing/recogniser-fixtures.ts';
import { spoken } from '../speech/testing/tones.ts';
import { GATEWAYS_MAX, newId, write } from './messages.ts';
import { GATEWAYS_SUBJECT } from './subjects.ts';
import { natsAbsence, startOwnNats } from './testing/own-nats.ts';
import { openGateway, openWorker } from './testing/parties.ts';
import { gatewayStateOf } from './testing/states.ts';
import { HEARTBEAT_MS } from './timing.ts';

const WORDS = ['apple', 'bridge'];

test('300 forged gateways: a worker keeps 64, logs once and serves the real one', {
  skip: natsAbsence,
  timeout: 60_000,
}, async (t) => {
  const nats = await startOwnNats();
  t.after(() => nats.close());
  const worker = await openWorker(t, nats.url);
  const { pool, until, bus } = await openGateway(t, nats.url);
  await until(() => pool.credits === 1);
  const never = new AbortController().signal;
  const recognise = async () => (await pool.recognise(windowOf({ samples: spoken(WORDS) }), never)).text;
  assert.equal(await recognise(), WORDS.join(' '));
  const forged = Array.from({ length: 300 }, () => newId());
  const announce = () => {
    for (const id of forged) {
      const want = { 'svc-1.0-lite': 50 };
      bus.publish(GATEWAYS_SUBJECT, write(gatewayStateOf({ id, version: worker.link.version, name: 'forged', want })));
    }
  };
  announce();
  const announcing = setInterval(announce, HEARTBEAT_MS);
  t.after(() => clearInterval(announcing));
  await until(() => worker.link.figures.gateways === GATEWAYS_MAX);
  await until(() => worker.refused.reasons.includes('too_many'));
  pool.setWaiting(new Map([['svc-1.0-lite', 1]]), new Map());
  const texts: string[] = [];
  while (texts.length < 10) {
    await until(() => pool.freeSlots('svc-1.0-lite') > 0);
    // A window that crosses the recall of its credit is lost before it begins; the scheduler sends it again.
    await recognise().then(
      (text) => texts.push(text),
      (thrown) => assert.ok(thrown instanceof WindowLost && !thrown.wasBegun, String(thrown)),
    );
  }
  assert.deepEqual([...new Set(texts)], [WORDS.join(' ')]);
  assert.equal(worker.link.figures.gateways, GATEWAYS_MAX);
  assert.equal(worker.refused.lines.filter((line) => /more than 64 gateways/.test(line)).length, 1);
});
