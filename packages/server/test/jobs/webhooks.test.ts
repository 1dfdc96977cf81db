// Webhooks: signatures, retries, and no requests into the private network.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { publicKeySet, webhookBody } from '@faircopy/contract';
import { sendWebhook } from '../../src/jobs/webhooks/webhook-request.ts';
import { freePort } from '../../src/lib/net/testing/free-port.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { unknownSigner } from '../../src/usage/receipts/testing/unknown-signer.ts';
import { field, file, form, MODEL, wavOf } from '../http/forms.ts';
import { type JobService, startJobService } from './job-service.ts';
import { ON_THIS_MACHINE, startReceiver } from './receiver.ts';

const WORDS = story(4);
const WAV = wavOf(spoken(WORDS));
const clipFor = (url: string) => form(MODEL, field('webhook', url), file(WAV));
const SIGNER = unknownSigner();

/** Verifies the signature of the body with the server's published keys. */
const isSigned = async ({ url }: { readonly url: string }, body: string, signature: string): Promise<boolean> => {
  const [header, none, mac] = signature.split('.');
  const { alg, typ, kid } = JSON.parse(Buffer.from(header!, 'base64url').toString('utf8'));
  const published = publicKeySet.parse(await (await fetch(`${url}/.well-known/jwks.json`)).json());
  const jwk = published.keys.find((key) => key.kid === kid);
  if (alg !== 'EdDSA' || typ !== 'faircopy-webhook' || jwk === undefined || none !== '') return false;
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  const content = `${header}.${Buffer.from(body, 'utf8').toString('base64url')}`;
  return verify(null, Buffer.from(content), key, Buffer.from(mac!, 'base64url'));
};

test("the result is sent once, signed, and the server's readable copy is deleted", async (t) => {
  const service = await startJobService(t);
  const receiver = await startReceiver(t);
  const id = await service.accepted(clipFor(receiver.url));
  await receiver.until(1);
  const [webhook] = receiver.received;
  const body = webhookBody.strict().parse(JSON.parse(webhook!.body));
  assert.equal(body.type, 'job.succeeded');
  assert.equal(body.answer?.result.transcript, WORDS.join(' '));
  assert.equal(webhook!.headers['faircopy-webhook-id'], id);
  const signature = String(webhook!.headers['faircopy-signature']);
  assert.ok(await isSigned(service, webhook!.body, signature));
  assert.ok(!(await isSigned(service, webhook!.body.replace('succeeded', 'failed'), signature)));
  for (;;) {
    const { job } = await service.job(id);
    if (job.webhook?.state === 'delivered') break;
  }
  const row = await service.app.storage.read.selectFrom('jobs').selectAll().executeTakeFirstOrThrow();
  assert.equal(row.sealed_webhook, null);
  assert.equal(receiver.received.length, 1);
});

test('failed and cancelled jobs are sent too', async (t) => {
  const service = await startJobService(t, { config: { jobsConcurrency: 1 } });
  const receiver = await startReceiver(t);
  service.engine.hold();
  await service.accepted(form(MODEL, file(wavOf(spoken(WORDS)))));
  await service.engine.until((engine) => engine.running > 0);
  const worn = await service.accepted(clipFor(receiver.url));
  // The maximum number of attempts.
  await service.app.storage.write.updateTable('jobs').set({ attempts: 10 }).where('id', '=', worn).execute();
  service.engine.release();
  await receiver.until(1);
  service.engine.hold();
  const id = await service.accepted(clipFor(receiver.url));
  await service.cancel(id);
  await receiver.until(2);
  const types = receiver.received.map(({ body }) => webhookBody.strict().parse(JSON.parse(body)));
  assert.deepEqual(
    types.map(({ type, job }) => [type, job.id]),
    [
      ['job.failed', worn],
      ['job.cancelled', id],
    ],
  );
  assert.equal(types[0]!.job.error?.code, 'INTERNAL_ERROR');
});

/** Resolves when the current attempt has failed. */
const failed = async ({ app }: JobService): Promise<number> => {
  for (;;) {
    const row = await app.storage.write.selectFrom('jobs').selectAll().executeTakeFirstOrThrow();
    if (row.webhook_fault !== null) return (row.webhook_due_at_ms ?? 0) - Date.now();
  }
};

/** Makes the next attempt due now. */
const passTime = ({ app }: JobService) =>
  app.storage.write
    .updateTable('jobs')
    .set({ webhook_due_at_ms: 0, webhook_fault: null })
    .where('webhook_state', '=', 'due')
    .execute();

test('a receiver that answers 500 for an hour gets the webhook in the end; delays grow', async (t) => {
  const service = await startJobService(t);
  let answers = 0;
  const receiver = await startReceiver(t, (response) => {
    answers += 1;
    response.writeHead(answers < 7 ? 500 : 200).end('x'.repeat(100_000));
  });
  const id = await service.accepted(clipFor(receiver.url));
  const waitsMs: number[] = [];
  for (let tries = 1; tries < 7; tries++) {
    await receiver.until(tries);
    waitsMs.push(await failed(service));
    assert.match((await service.job(id)).job.webhook?.fault ?? '', /status 500/);
    await passTime(service);
  }
  await receiver.until(7);
  for (;;) if ((await service.job(id)).job.webhook?.state === 'delivered') break;
  assert.equal((await service.job(id)).job.webhook?.attempts, 7);
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['faircopy-webhook-id'])).size, 1);
  assert.ok(waitsMs.at(-1)! > 10 * waitsMs[0]!, `waits of ${waitsMs.join(', ')} ms`);
});

test('delivery is abandoned after a day, and the payload is deleted', async (t) => {
  const service = await startJobService(t);
  const receiver = await startReceiver(t, (response) => response.writeHead(500).end());
  const id = await service.accepted(clipFor(receiver.url));
  await failed(service);
  await service.app.storage.write.updateTable('jobs').set({ webhook_until_ms: Date.now() }).execute();
  await passTime(service);
  await receiver.until(2);
  for (;;) if ((await service.job(id)).job.webhook?.state === 'failed') break;
  const row = await service.app.storage.read.selectFrom('jobs').selectAll().executeTakeFirstOrThrow();
  assert.equal(row.sealed_webhook, null);
  assert.equal((await service.job(id)).answer?.result.transcript, WORDS.join(' '), 'the result can still be fetched');
});

test('a receiver that answers 410 gets no retries', async (t) => {
  const service = await startJobService(t);
  const receiver = await startReceiver(t, (response) => response.writeHead(410).end());
  const id = await service.accepted(clipFor(receiver.url));
  for (;;) if ((await service.job(id)).job.webhook?.state === 'failed') break;
  assert.equal(receiver.received.length, 1);
});

test('slow receivers of one account delay no other account', async (t) => {
  const service = await startJobService(t);
  const held = new Set<unknown>();
  const slow = await startReceiver(t, (response) => void held.add(response));
  const quick = await startReceiver(t);
  for (let n = 0; n < 20; n++) await service.accepted(clipFor(slow.url));
  await slow.until(2);
  await service.accepted(clipFor(quick.url), await service.stranger());
  await quick.until(1);
  assert.equal(held.size, 2, 'no more than two of one account are asked at the same time');
});

test('redirects repeat the body, to public addresses only', async (t) => {
  const target = await startReceiver(t);
  const path = (code: number) => target.url.replace('/hook', `/to-${code}`);
  const redirecting = await startReceiver(t, (response, { path: asked }) => {
    const code = Number(/\d+/.exec(asked)?.[0] ?? 307);
    response.writeHead(code, { location: asked.includes('loop') ? asked : path(code) }).end();
  });
  const send = (url: string, rules = ON_THIS_MACHINE) =>
    sendWebhook(
      { owner: 'a', url, id: 'x', payload: { a: 1 } },
      { signer: SIGNER, rules, signal: new AbortController().signal },
    );
  for (const code of [307, 308])
    assert.deepEqual(await send(redirecting.url.replace('hook', String(code))), { kind: 'delivered' });
  assert.deepEqual(
    target.received.map(({ body }) => body),
    ['{"a":1}', '{"a":1}'],
  );
  for (const code of [301, 302, 303]) {
    const delivery = await send(redirecting.url.replace('hook', String(code)));
    assert.equal(delivery.kind === 'failed' && delivery.reason, `answered with status ${code}`);
  }
  const loop = await send(redirecting.url.replace('hook', '307-loop'));
  assert.match(loop.kind === 'failed' ? loop.reason : '', /more than 3 times/);
  assert.equal(target.received.length, 2);
  // Allows only the first address, like a public one that redirects to a private one.
  const port = new URL(redirecting.url).port;
  let asked = 0;
  const onlyFirst = { ...ON_THIS_MACHINE, isAllowedAddress: () => asked++ === 0 };
  const inside = await send(`http://127.0.0.1:${port}/307`, onlyFirst);
  assert.match(inside.kind === 'failed' ? inside.reason : '', /not public/);
  assert.equal(target.received.length, 2);
});

test('a name that later resolves to a private address is refused: each attempt resolves it again', async (t) => {
  let isInside = false;
  const service = await startJobService(t, {
    overrides: { receivers: { protocols: ['http:'], isAllowedAddress: () => !isInside } },
  });
  const receiver = await startReceiver(t);
  service.engine.hold();
  const id = await service.accepted(clipFor(receiver.url));
  isInside = true;
  service.engine.release();
  for (;;) {
    const { webhook } = (await service.job(id)).job;
    if (webhook?.fault === null || webhook === null) continue;
    assert.match(webhook.fault, /not public/);
    break;
  }
  assert.equal(receiver.received.length, 0);
  isInside = false;
  await passTime(service);
  await receiver.until(1);
});

test('the example receiver accepts only genuine webhooks', async (t) => {
  const service = await startJobService(t);
  const port = await freePort();
  const script = fileURLToPath(new URL('../../../../../examples/webhook-receiver.mjs', import.meta.url));
  const env = { ...process.env, FAIRCOPY_URL: service.url, PORT: String(port) };
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill());
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, 'ready');
  const url = `http://127.0.0.1:${port}/`;
  const id = await service.accepted(clipFor(url));
  assert.equal((await lines.next()).value, `job.succeeded ${id} ${WORDS.join(' ')}`);
  for (const signer of [SIGNER, { sign: async () => 'no.signature.at-all' }]) {
    const message = { owner: 'a', url, id, payload: { type: 'job.succeeded', job: { id: 'forged' } } };
    const delivery = await sendWebhook(message, {
      signer,
      rules: ON_THIS_MACHINE,
      signal: new AbortController().signal,
    });
    assert.equal(delivery.kind === 'failed' && delivery.reason, 'answered with status 401');
  }
});
