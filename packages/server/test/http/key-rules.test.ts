// What a key may do: scopes, models, addresses and levels, on every kind of endpoint.
import assert from 'node:assert/strict';
import test from 'node:test';
import { type KeyRules, keyRules } from '@faircopy/contract';
import { setLanguages } from '../../src/accounts/accounts.ts';
import { changeKeyRules, createKey } from '../../src/accounts/keys/keys.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { setBudget } from '../../src/usage/budgets/budgets.ts';
import { eventually, rejection } from '../stream/stream-server.ts';
import { field, file, form, MODEL, wavOf } from './forms.ts';
import { failure, type Service, startService, streamAddress, success } from './service.ts';

const CLIP = form(MODEL, file(wavOf(spoken(story(2)))));

const keyWith = async (service: Service, rules: Partial<KeyRules>) => {
  const name = JSON.stringify(rules);
  const made = await createKey(service.app.storage, {
    accountId: service.accountId,
    name,
    createdBy: null,
    rules: keyRules.parse(rules),
  });
  const authorization = { authorization: `Token ${made.key}` };
  return {
    id: made.listing.id,
    transcribe: (body = CLIP, headers = {}) => service.post(body, { ...authorization, ...headers }),
    stream: (model: string) => rejection(streamAddress({ ...service, key: made.key }, model)),
    get: (path: string, scheme = 'Token') =>
      fetch(`${service.url}${path}`, { headers: { authorization: `${scheme} ${made.key}` } }),
  };
};

const assertForbidden = async (response: Response, message: RegExp): Promise<void> => {
  assert.equal(response.status, 403);
  const { error } = await failure(response);
  assert.equal(error.code, 'FORBIDDEN');
  assert.match(error.message, message);
};

test('keys are limited to endpoints, models, languages and addresses', async (t) => {
  const service = await startService(t, { config: { trustedProxies: ['127.0.0.1'] } });

  const files = await keyWith(service, { scopes: ['transcribe'] });
  await success(await files.transcribe());
  await assertForbidden(await files.get('/v1/jobs'), /"jobs".*limited to transcribe/);
  assert.equal((await files.stream('svc-1.0-lite')).status, 403);
  assert.equal((await files.get('/v1/models', 'Bearer')).status, 200);

  const streams = await keyWith(service, { scopes: ['stream'], models: ['svc-1.0-lite'] });
  await assertForbidden(await streams.transcribe(), /"transcribe"/);
  assert.equal((await streams.stream('svc-1.0-max')).status, 403);

  const lite = await keyWith(service, { models: ['svc-1.0-lite'], languages: ['de', 'EN-gb'] });
  await success(await lite.transcribe());
  const pro = form(field('model', 'svc-1.0-pro'), file(wavOf(spoken(story(2)))));
  await assertForbidden(await lite.transcribe(pro), /svc-1\.0-pro.*limited to svc-1\.0-lite/);
  const french = form(MODEL, field('language', 'fr'), file(wavOf(spoken(story(2)))));
  await assertForbidden(await lite.transcribe(french), /language fr.*limited to de, en/);

  const office = await keyWith(service, { addresses: ['192.0.2.0/24', '2001:db8::1'] });
  await assertForbidden(await office.transcribe(), /this address/);
  await success(await office.transcribe(CLIP, { 'x-forwarded-for': '192.0.2.77' }));
  await success(await office.transcribe(CLIP, { 'x-forwarded-for': '2001:db8::1' }));
});

test('a change applies to the next requests, and rules that contradict each other cannot be saved', async (t) => {
  const service = await startService(t);
  const key = await keyWith(service, {});
  await success(await key.transcribe());
  const change = (rules: Partial<KeyRules>) =>
    changeKeyRules(service.app.storage, service.accountId, key.id, keyRules.parse(rules));
  await change({ scopes: ['usage'] });
  await eventually(
    async () => (await key.transcribe()).status,
    (status) => status === 403,
  );
  const faults: [Partial<KeyRules>, RegExp][] = [
    [{ scopes: ['usage'], models: ['svc-1.0-lite'] }, /rules\.models: the key may not transcribe/],
    [{ languages: ['x1'] }, /"x1" is not a supported language/],
    [{ addresses: ['10.0.0.0/99'] }, /10\.0\.0\.0\/99/],
  ];
  for (const [rules, message] of faults) await assert.rejects(change(rules), { code: 'INVALID_REQUEST', message });
  await setLanguages(service.app.storage, service.accountId, ['de', 'fr']);
  const other = { code: 'INVALID_REQUEST', message: /rules\.languages: the account is limited to de, fr/ };
  await assert.rejects(change({ languages: ['en'] }), other);
  await assert.rejects(keyWith(service, { languages: ['en'] }), other);
  await change({ languages: ['en', 'fr'] });
  await setLanguages(service.app.storage, service.accountId, []);
  await success(await service.post(CLIP));
  await assert.rejects(changeKeyRules(service.app.storage, 'another', key.id, keyRules.parse({})), {
    code: 'NOT_FOUND',
  });
});

test('a key has its own seconds per day, which may not exceed those of its month', async (t) => {
  const service = await startService(t);
  const [key, other] = [await keyWith(service, {}), await keyWith(service, { tags: ['other'] })];
  const limit = (daySeconds: number, monthSeconds: number | null) =>
    setBudget(
      service.app.storage,
      { accountId: service.accountId, keyId: key.id },
      { daySeconds, monthSeconds, warnPercent: 80, stops: true },
    );
  await assert.rejects(limit(31, 30), { code: 'INVALID_REQUEST', message: /more seconds than its month/ });
  await limit(15, 30);
  await success(await key.transcribe());
  const refused = await key.transcribe();
  assert.equal(refused.status, 429);
  assert.equal((await failure(refused)).error.code, 'BUDGET_EXCEEDED');
  await success(await other.transcribe());
});
