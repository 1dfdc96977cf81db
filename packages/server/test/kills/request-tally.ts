// Counts the outcomes that clients of a killed server saw, and compares them with its ledger.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { SuccessResponse } from '@faircopy/contract';
import type { Storage } from '../../src/storage/open.ts';
import type { UsageRecordsTable } from '../../src/storage/schema/usage.ts';
import { assertSumsAgree, ledger } from '../../src/usage/testing/ledger.ts';
import type { Outcome } from './clients.ts';

export interface RequestTally {
  readonly successes: SuccessResponse[];
  readonly refusedIds: Set<string>;
  readonly refused: Map<string, number>;
  broken: number;
  undelivered: number;
  unreconciled: number;
}

export const newTally = (): RequestTally => ({
  successes: [],
  refusedIds: new Set(),
  refused: new Map(),
  broken: 0,
  undelivered: 0,
  unreconciled: 0,
});

export const countOutcome = (tally: RequestTally, outcome: Outcome): void => {
  if (outcome.kind === 'success') tally.successes.push(outcome.answer);
  if (outcome.kind === 'broken') tally.broken += 1;
  if (outcome.kind !== 'refused') return;
  tally.refusedIds.add(outcome.requestId);
  tally.refused.set(outcome.code, (tally.refused.get(outcome.code) ?? 0) + 1);
};

/** Retries, because the database may still be restarting after its own kill. */
const readLedger = async (storage: Storage): Promise<UsageRecordsTable[]> => {
  for (const deadline = Date.now() + 30_000; ; await wait(100)) {
    try {
      return await ledger(storage);
    } catch (cause) {
      if (Date.now() > deadline) throw cause;
    }
  }
};

const figuresOf = ({ usage, result }: SuccessResponse) => [
  'success',
  usage.billed_audio_seconds * 1e3,
  Math.round(result.duration_seconds * 1e6),
  usage.output_token_count,
];

/**
 * Every success has exactly one row with the same figures. Nothing else is billed, except requests whose connection
 * broke when the server was killed. The sums match the rows.
 */
export const assertLedger = async (storage: Storage, tally: RequestTally): Promise<void> => {
  const rows = await readLedger(storage);
  const byId = new Map(rows.map((row) => [row.request_id, row]));
  assert.equal(byId.size, rows.length, 'no request has two rows');
  const answered = new Set(tally.successes.map(({ request_id }) => request_id));
  assert.equal(answered.size, tally.successes.length, 'no request id was used twice');
  for (const answer of tally.successes) {
    const row = byId.get(answer.request_id);
    const figures = [row?.status, row?.billed_ms, row?.audio_us, row?.output_token_count];
    assert.deepEqual(figures, figuresOf(answer), `the row of ${answer.request_id}`);
  }
  for (const { status, billed_ms } of rows) assert.ok(status === 'success' || billed_ms === 0, 'a failure is billed');
  const unanswered = rows.filter(({ status, request_id }) => status === 'success' && !answered.has(request_id));
  tally.unreconciled = unanswered.filter(({ request_id }) => tally.refusedIds.has(request_id)).length;
  tally.undelivered = unanswered.length - tally.unreconciled;
  assert.ok(tally.undelivered <= tally.broken, 'only broken connections leave a row without a response');
  await assertSumsAgree(storage);
};
