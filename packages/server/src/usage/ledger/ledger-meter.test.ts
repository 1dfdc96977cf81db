import assert from 'node:assert/strict';
import { onBothEngines } from '../../storage/testing/engines.ts';
import { entry } from '../testing/entries.ts';
import { assertSumsAgree, ledger, withoutLink } from '../testing/ledger.ts';
import { LedgerMeter } from './ledger-meter.ts';

onBothEngines('record resolves after the entry is in the ledger with every field', async (_t, place) => {
  const meter = new LedgerMeter(place.storage);
  const written = entry({
    audioSeconds: 0.0625001,
    refinementFallback: 'unfaithful',
    queueMs: 12.5,
    errorMessage: 'what was said',
    effort: 'reduced',
    tags: ['berlin', 'meeting'],
    model: null,
    keyId: null,
  });
  await meter.record(written);
  assert.deepEqual((await ledger(place.storage)).map(withoutLink), [
    {
      request_id: written.requestId,
      account_id: 'account-1',
      key_id: null,
      mode: 'file',
      model: null,
      status: 'success',
      audio_us: 62_500,
      billed_ms: 15_000,
      output_token_count: 40,
      detected_language: 'en',
      receive_ms: 10,
      recognition_ms: 250.5,
      refinement_ms: 3,
      refinement_fallback: 'unfaithful',
      queue_ms: 12.5,
      error_message: 'what was said',
      effort: 'reduced',
      tags: '["berlin","meeting"]',
      created_at_ms: written.createdAtMs,
    },
  ]);
  await assertSumsAgree(place.storage);
});

onBothEngines('a repeated request is one row', async (_t, place) => {
  const meter = new LedgerMeter(place.storage);
  const again = entry();
  await Promise.all([meter.record(again), meter.record(again), meter.record({ ...again, billedSeconds: 99 })]);
  await meter.record(again);
  assert.equal((await ledger(place.storage)).length, 1);
  assert.equal((await ledger(place.storage))[0]?.billed_ms, 15_000);
  await assertSumsAgree(place.storage);
});

onBothEngines('two nodes that record the same thousand requests write each once', async (_t, place) => {
  const meters = [new LedgerMeter(place.storage), new LedgerMeter(place.storage)];
  const entries = Array.from({ length: 1000 }, (_, n) => entry({ accountId: `account-${n % 7}`, audioSeconds: n / 3 }));
  await Promise.all(
    meters.flatMap((meter, which) => (which ? entries.toReversed() : entries).map((e) => meter.record(e))),
  );
  assert.equal((await ledger(place.storage)).length, 1000);
  await assertSumsAgree(place.storage);
});

onBothEngines('an entry with an invalid amount fails alone', async (_t, place) => {
  const meter = new LedgerMeter(place.storage);
  const [bad, good] = await Promise.allSettled([
    meter.record(entry({ audioSeconds: Number.NaN })),
    meter.record(entry()),
  ]);
  assert.equal(bad.status, 'rejected');
  assert.equal(good.status, 'fulfilled');
  assert.equal((await ledger(place.storage)).length, 1);
});
