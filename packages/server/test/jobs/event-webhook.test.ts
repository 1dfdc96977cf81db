// The operator's event webhook: retries, order, and no requests into the private network.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { EventWebhook } from '../../src/jobs/webhooks/event-webhook.ts';
import { PUBLIC_RECEIVERS } from '../../src/jobs/webhooks/webhook-request.ts';
import { silentLog } from '../../src/observability/log.ts';
import { unknownSigner } from '../../src/usage/receipts/testing/unknown-signer.ts';
import { ON_THIS_MACHINE, startReceiver } from './receiver.ts';

const webhookTo = (t: TestContext, url: string, rules = ON_THIS_MACHINE): EventWebhook => {
  const webhook = new EventWebhook({
    url,
    rules,
    signer: unknownSigner(),
    log: silentLog(),
    backOff: { minMs: 1, maxMs: 1_000 },
  });
  t.after(() => webhook.close());
  return webhook;
};

test('an event is retried until it is accepted, and the next one waits for it', async (t) => {
  const statuses = [500, 503, 429, 200, 200];
  const receiver = await startReceiver(t, (response) => response.writeHead(statuses.shift()!).end());
  const webhook = webhookTo(t, receiver.url);
  webhook.send('a', { n: 1 });
  webhook.send('b', { n: 2 });
  await receiver.until(5);
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers['faircopy-webhook-id']),
    ['a', 'a', 'a', 'a', 'b'],
  );
});

test('a receiver that answers 410 gets no retries', async (t) => {
  const statuses = [410, 200];
  const receiver = await startReceiver(t, (response) => response.writeHead(statuses.shift()!).end());
  const webhook = webhookTo(t, receiver.url);
  webhook.send('a', {});
  webhook.send('b', {});
  await receiver.until(2);
  assert.equal(receiver.received[1]!.headers['faircopy-webhook-id'], 'b');
});

test('a private address gets no request, and close ends all retries', async (t) => {
  const receiver = await startReceiver(t);
  const { port } = new URL(receiver.url);
  const webhook = webhookTo(t, `https://localhost:${port}/hook`, PUBLIC_RECEIVERS);
  for (let n = 0; n < 2_000; n++) webhook.send(String(n), {});
  await webhook.close();
  assert.equal(receiver.received.length, 0);
});
