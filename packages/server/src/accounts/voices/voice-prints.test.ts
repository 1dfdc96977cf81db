import assert from 'node:assert/strict';
import { VOICE_LIMITS } from '@faircopy/contract';
import type { Storage } from '../../storage/open.ts';
import { onBothEngines } from '../../storage/testing/engines.ts';
import { createAccount } from '../accounts.ts';
import { closeAccount } from '../close-account.ts';
import { listVoiceEvents } from './voice-audit.ts';
import { type NewVoice, VoicePrints, type VoicePrintsParts } from './voice-prints.ts';

const SECRET = 'a secret of more than thirty-two characters';
const BY = { actor: 'key-1', requestId: '01K9ZQ5W0Q4T9Y6X2V8B3N7M1C' };
const DAY_MS = 24 * 60 * 60_000;

const voice = (name: string, first = 0.5): NewVoice => ({
  name,
  model: 'made',
  speechSeconds: 9.25,
  embedding: Float32Array.of(first, -0.5, 0.125, 0.75),
  isNarrowBand: true,
});

/** Voice prints of the accounts "a" and "b". */
const openPrints = async (storage: Storage, options: Partial<VoicePrintsParts> = {}): Promise<VoicePrints> => {
  for (const name of ['a', 'b']) {
    await createAccount(storage, name);
    await storage.write.updateTable('accounts').set({ id: name }).where('name', '=', name).execute();
  }
  return new VoicePrints({ storage, secret: SECRET, auditDays: 30, ...options });
};

onBothEngines('a voice is listed, exported and deleted, and only by its account', async (_t, { storage }) => {
  const prints = await openPrints(storage);
  const made = await prints.add('a', voice('  Ada Лав '), BY);
  assert.equal(made.name, 'Ada Лав');
  assert.deepEqual(await prints.list('a'), [made]);
  assert.deepEqual(await prints.list('b'), []);
  const exported = await prints.export('a', made.id, BY);
  assert.deepEqual([...exported.embedding], [0.5, -0.5, 0.125, 0.75]);
  assert.deepEqual([exported.isNarrowBand, exported.speechSeconds], [true, 9.25]);
  for (const [account, id] of [
    ['b', made.id],
    ['a', 'nothing'],
  ] as const) {
    await assert.rejects(prints.export(account, id, BY), { code: 'NOT_FOUND' });
    await assert.rejects(prints.delete(account, id, BY), { code: 'NOT_FOUND' });
  }
  await prints.delete('a', made.id, BY);
  assert.deepEqual([await prints.list('a'), await prints.printsFor('a', 'made')], [[], { voices: [], others: 0 }]);
});

onBothEngines(
  'the database holds no plain print, and a moved or foreign row cannot be decrypted',
  async (_t, place) => {
    const { storage } = place;
    const prints = await openPrints(storage);
    const made = await prints.add('a', voice('Ada'), BY);
    const row = await storage.read.selectFrom('voice_prints').selectAll().executeTakeFirstOrThrow();
    const plain = Buffer.alloc(4);
    plain.writeFloatLE(0.125);
    assert.equal(Buffer.from(row.sealed).includes(plain), false);
    assert.equal((await prints.printsFor('a', 'made')).voices.length, 1);
    assert.deepEqual(await prints.printsFor('a', 'another model'), { voices: [], others: 1 });
    const other = new VoicePrints({ storage, secret: `${SECRET}!`, auditDays: 30 });
    assert.deepEqual(await other.printsFor('a', 'made'), { voices: [], others: 0 });
    await assert.rejects(other.export('a', made.id, BY), { code: 'CONFLICT' });
    await storage.write.updateTable('voice_prints').set({ account_id: 'b' }).execute();
    assert.deepEqual(await prints.printsFor('b', 'made'), { voices: [], others: 0 });
  },
);

onBothEngines('enrolment, use, export and deletion are recorded, and the records expire', async (_t, place) => {
  const { storage } = place;
  let nowMs = Date.now();
  const prints = await openPrints(storage, { now: () => nowMs });
  const made = await prints.add('a', voice('Ada'), BY);
  nowMs += 1;
  await prints.recordCompared('a', 3, BY);
  await prints.recordNamed('a', [made.id], BY);
  await prints.recordNamed('a', [], BY);
  nowMs += 1;
  await prints.export('a', made.id, BY);
  nowMs += 1;
  await prints.delete('a', made.id, BY);
  const events = await listVoiceEvents(storage.read, { accountId: 'a', limit: 10 });
  assert.deepEqual(events.map(({ action, voices, actor }) => [action, voices, actor]).toSorted(), [
    ['compared', 3, 'key-1'],
    ['deleted', 1, 'key-1'],
    ['enrolled', 1, 'key-1'],
    ['exported', 1, 'key-1'],
    ['named', 1, 'key-1'],
  ]);
  assert.equal(JSON.stringify(events).includes('Ada'), false);
  assert.deepEqual(await listVoiceEvents(storage.read, { accountId: 'b', limit: 10 }), []);
  const [last, ...older] = events;
  const page = await listVoiceEvents(storage.read, { accountId: 'a', before: last!.id, limit: 2 });
  assert.deepEqual(page, older.slice(0, 2));
  nowMs += 31 * DAY_MS;
  await prints.recordCompared('a', 1, BY);
  assert.equal((await listVoiceEvents(storage.read, { accountId: 'a', limit: 10 })).length, 1);
});

onBothEngines('the number of voices is bounded, even with concurrent enrolments', async (_t, { storage }) => {
  const prints = await openPrints(storage);
  const { sealed: _sealed, ...first } = await (async () => {
    await prints.add('a', voice('Ada'), BY);
    return storage.read.selectFrom('voice_prints').selectAll().executeTakeFirstOrThrow();
  })();
  const rows = Array.from({ length: VOICE_LIMITS.voicesMax - 3 }, (_, index) => ({
    ...first,
    id: `made ${index}`,
    sealed: Buffer.alloc(1),
  }));
  await storage.write.insertInto('voice_prints').values(rows).execute();
  await prints.requireRoom('a');
  const added = await Promise.allSettled(Array.from({ length: 5 }, () => prints.add('a', voice('Bo'), BY)));
  assert.equal(added.filter(({ status }) => status === 'fulfilled').length, 2);
  await assert.rejects(prints.requireRoom('a'), { code: 'CONFLICT' });
  await prints.add('b', voice('Bo'), BY);
});

onBothEngines('a closed account keeps no voices', async (_t, { storage }) => {
  const prints = await openPrints(storage);
  const { id } = await createAccount(storage, 'acme');
  await prints.add(id, voice('Ada'), BY);
  await prints.add(id, voice('Bo'), BY);
  await closeAccount(storage, id);
  assert.deepEqual(await prints.list(id), []);
  const [event] = await listVoiceEvents(storage.read, { accountId: id, limit: 1 });
  assert.deepEqual([event?.action, event?.voices, event?.voiceId], ['deleted', 2, null]);
  await assert.rejects(prints.add(id, voice('Cy'), BY), { code: 'CONFLICT' });
  assert.deepEqual(await prints.list(id), []);
});

onBothEngines('a database failure is a server error that the caller may retry', async (_t, { storage }) => {
  const prints = await openPrints(storage);
  await storage.write.schema.dropTable('voice_prints').execute();
  for (const work of [
    () => prints.add('a', voice('Ada'), BY),
    () => prints.requireRoom('a'),
    () => prints.printsFor('a', 'made'),
  ])
    await assert.rejects(work, { code: 'SERVICE_UNAVAILABLE' });
});
