// Receipts as a caller gets and checks them, from the whole service.
import assert from 'node:assert/strict';
import test from 'node:test';
import { publicKeySet } from '@faircopy/contract';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import type { Jwk } from '../../src/usage/receipts/jws.ts';
import { verifyReceipt } from '../../src/usage/receipts/verify.ts';
import { file, form, MODEL, wavOf } from './forms.ts';
import { failure, sharedService, success } from './service.ts';

const service = sharedService();
const CLIP = form(MODEL, file(wavOf(spoken(story(3)))));

const receiptOf = (requestId: string, key = service().key): Promise<Response> =>
  fetch(`${service().url}/v1/receipts/${requestId}`, { headers: { authorization: `Token ${key}` } });

const publishedKeys = async (): Promise<ReadonlyMap<string, Jwk>> => {
  const response = await fetch(`${service().url}/.well-known/jwks.json`);
  assert.equal(response.status, 200);
  const { keys } = publicKeySet.strict().parse(await response.json());
  return new Map(keys.map((key) => [key.kid, key]));
};

test('a request has a receipt as soon as it is answered, signed by a published key', async () => {
  const answer = await success(await service().post(CLIP));
  const response = await receiptOf(answer.request_id);
  assert.equal(response.headers.get('content-type'), 'application/jose');
  const { receipt } = verifyReceipt(await response.text(), await publishedKeys());
  assert.equal(receipt.record.request_id, answer.request_id);
  assert.equal(receipt.record.billed_audio_seconds, answer.usage.billed_audio_seconds);
  assert.equal(receipt.record.output_token_count, answer.usage.output_token_count);
  assert.equal(receipt.account_id, service().accountId);
});

test('a receipt contains nothing of the transcript', async () => {
  const answer = await success(await service().post(CLIP));
  const { receipt } = verifyReceipt(await (await receiptOf(answer.request_id)).text(), undefined);
  for (const word of answer.result.transcript.split(' ')) assert.ok(!JSON.stringify(receipt).includes(word));
});

test('only the account can read a receipt, and only for a request that exists', async () => {
  const answer = await success(await service().post(CLIP));
  const { storage } = service().app;
  const other = await createAccount(storage, 'other');
  const { key } = await createKey(storage, { accountId: other.id, name: 'other', createdBy: null });
  for (const [requestId, presented, status, code] of [
    [answer.request_id, key, 404, 'NOT_FOUND'],
    ['01K9ZQ5W0Q4T9Y6X2V8B3N7M1C', service().key, 404, 'NOT_FOUND'],
    ['%00', service().key, 404, 'NOT_FOUND'],
    [answer.request_id, 'wrong', 401, 'UNAUTHORIZED'],
  ] as const) {
    const response = await receiptOf(requestId, presented);
    assert.equal(response.status, status);
    assert.equal((await failure(response)).error.code, code);
  }
});
