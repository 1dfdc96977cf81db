// What clients got from a server that was killed, beside what its ledger says.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { SuccessResponse } from '@faircopy/contract';
import type { Storage } from '../../src/storage/open.ts';
import type { UsageRecordsTable } from '../../src/storage/schema/usage.ts';
import { assertSumsAgree, ledger } from '../../src/usage/testing/ledger.ts';
import type { Outcome } from './clients.ts';

export interface Books {
  readonly successes: SuccessResponse[];
  readonly refusedIds: Set<string>;
  readonly refused: Map<string, number>;
  broken: number;
  undelivered: number;
  unsettled: number;
}

export const newBooks = (): Books => ({
  successes: [],
  refusedIds: new Set(),
  refused: new Map(),
  broken: 0,
  undelivered: 0,
  unsettled: 0,
});

export const note = (books: Books, outcome: Outcome): void => {
  if (outcome.kind === 'success') books.successes.push(outcome.answer);
  if (outcome.kind === 'broken') books.broken += 1;
  if (outcome.kind !== 'refused') return;
  books.refusedIds.add(outcome.requestId);
  books.refused.set(outcome.code, (books.refused.get(outcome.code) ?? 0) + 1);
};

/** The database may still be coming back from a kill of its own. */
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
 * Every success that a client got has its row once, with the same figures. Nothing else is billed, but for requests whose
 * connection broke when the server was killed; the sums are those of the rows.
 */
export const assertLedger = async (storage: Storage, books: Books): Promise<void> => {
  const rows = await readLedger(storage);
  const byId = new Map(rows.map((row) => [row.request_id, row]));
  assert.equal(byId.size, rows.length, 'no request has two rows');
  const answered = new Set(books.successes.map(({ request_id }) => request_id));
  assert.equal(answered.size, books.successes.length, 'no id was given twice');
  for (const answer of books.successes) {
    const row = byId.get(answer.request_id);
    const figures = [row?.status, row?.billed_ms, row?.audio_us, row?.output_token_count];
    assert.deepEqual(figures, figuresOf(answer), `the row of ${answer.request_id}`);
  }
  for (const { status, billed_ms } of rows) assert.ok(status === 'success' || billed_ms === 0, 'a failure is billed');
  const unanswered = rows.filter(({ status, request_id }) => status === 'success' && !answered.has(request_id));
  books.unsettled = unanswered.filter(({ request_id }) => books.refusedIds.has(request_id)).length;
  books.undelivered = unanswered.length - books.unsettled;
  assert.ok(books.undelivered <= books.broken, 'only broken connections leave a row without its answer');
  await assertSumsAgree(storage);
};
