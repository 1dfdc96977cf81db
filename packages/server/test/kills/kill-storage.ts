// Kills a process that writes usage at random moments, then compares the ledger with the clients' outcomes.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { sql } from '#kysely';
import { ensureAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { seededRandom } from '../../src/lib/seeded-random.ts';
import { openStorage, type Storage, type StorageOptions } from '../../src/storage/open.ts';
import { toRow } from '../../src/usage/ledger/entry-row.ts';
import { sumUsage } from '../../src/usage/reports/sums.ts';
import { assertSumsAgree, ledger, withoutLink } from '../../src/usage/testing/ledger.ts';
import { testProgram } from '../programs/test-program.ts';
import { plannedEntry, type RunPlan } from './run-plan.ts';

const SCRIPT = testProgram(new URL('./storage-process.js', import.meta.url));

export interface KillReport {
  readonly kills: number;
  /** Kills that left unanswered requests. */
  readonly killsUnderWay: number;
  readonly answered: number;
  /** Rows of requests that were not answered yet. */
  readonly writtenUnanswered: number;
}

export const killStorageRepeatedly = async (
  database: StorageOptions,
  kills: number,
  seed: number,
): Promise<KillReport> => {
  const storage = await openStorage(database);
  try {
    const { account } = await ensureAccount(storage, 'killed');
    const { key, listing } = await createKey(storage, { accountId: account.id, name: 'load', createdBy: null });
    const random = seededRandom(seed);
    const answered = new Set<string>();
    let unanswered: string[] = [];
    let [killsUnderWay, writtenUnanswered] = [0, 0];
    for (let kill = 0; kill < kills; kill++) {
      const end = kill % 4 === 3 ? 'killed between row and answer' : 'killed at any moment';
      // Mostly early, during start and recovery.
      unanswered = await runProcess({ database, key, retries: unanswered, end }, answered, random() ** 2 * 250);
      if (unanswered.length > 0) killsUnderWay++;
      writtenUnanswered += await countRows(storage, unanswered);
    }
    const left = await runProcess({ database, key, retries: unanswered, end: 'normal exit' }, answered, 0);
    assert.deepEqual(left, [], 'every request is answered in the end');
    await assertLedger(storage, answered, (id) => toRow(plannedEntry(id, account.id, listing.id)));
    return { kills, killsUnderWay, answered: answered.size, writtenUnanswered };
  } finally {
    await storage.close();
  }
};

/** Runs the process once. Returns the unanswered requests and adds the answered ones to the set. */
const runProcess = async (plan: RunPlan, answered: Set<string>, killAfterMs: number): Promise<string[]> => {
  const child: ChildProcess = spawn(process.execPath, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin!.on('error', () => {});
  child.stdin!.end(`${JSON.stringify(plan)}\n`);
  const exited = once(child, 'exit');
  const pending = new Set(plan.retries);
  let timer: NodeJS.Timeout | undefined;
  for await (const line of createInterface(child.stdout!)) {
    const [what, id] = line.split(' ');
    if (what === 'ready' && plan.end === 'killed at any moment')
      timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    if (what === 'sent') pending.add(id!);
    if (what === 'answered') {
      pending.delete(id!);
      answered.add(id!);
    }
  }
  const [code, signal] = await exited;
  clearTimeout(timer);
  assert.equal(signal ?? code, plan.end === 'normal exit' ? 0 : 'SIGKILL', 'the process ended as planned');
  return [...pending];
};

const countRows = async (storage: Storage, ids: readonly string[]): Promise<number> => {
  if (ids.length === 0) return 0;
  const rows = await storage.write
    .selectFrom('usage_records')
    .select('request_id')
    .where('request_id', 'in', ids)
    .execute();
  return rows.length;
};

const assertLedger = async (
  storage: Storage,
  answered: ReadonlySet<string>,
  expectedRow: (id: string) => ReturnType<typeof toRow>,
): Promise<void> => {
  const rows = await ledger(storage);
  assert.deepEqual(
    rows.map((row) => row.request_id),
    [...answered].sort(),
    'the rows are the answered requests, each once',
  );
  for (const row of rows) assert.deepEqual(withoutLink(row), expectedRow(row.request_id));
  await assertSumsAgree(storage);
  const billedMs = [...answered].reduce((sum, id) => sum + expectedRow(id).billed_ms, 0);
  const [total] = await sumUsage(storage, { by: [] });
  assert.deepEqual([total?.requests, total?.billedSeconds], [answered.size, billedMs / 1000]);
  if (storage.engine === 'sqlite') {
    const { rows: faults } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(storage.write);
    assert.equal(faults[0]?.integrity_check, 'ok');
  }
};
