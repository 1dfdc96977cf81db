// The thread that owns one SQLite connection and runs one statement at a time.
import { parentPort, workerData } from 'node:worker_threads';
import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import { isLockedCode, type ThreadData, type ThreadRequest, type ThreadResponse } from './sqlite-thread.ts';

const STATEMENTS_MAX = 200;
/** How long a write waits for the lock after the previous write timed out, so that waits do not add up. */
const STILL_LOCKED_WAIT_MS = 250;
const { path, access, lockWaitMs, discarded } = workerData as ThreadData;

const db = new DatabaseSync(path, { timeout: lockWaitMs, enableForeignKeyConstraints: true });
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY');
// A large upload must not leave a large write-ahead log behind: the next checkpoint truncates it.
db.exec('PRAGMA journal_size_limit = 67108864');
if (access === 'read') db.exec('PRAGMA query_only = ON');

/** Prepared statements by SQL text, least recently used first. */
const statements = new Map<string, StatementSyncInstance>();
const prepare = (text: string): StatementSyncInstance => {
  const statement = statements.get(text) ?? db.prepare(text);
  statements.delete(text);
  statements.set(text, statement);
  if (statements.size > STATEMENTS_MAX) statements.delete(statements.keys().next().value!);
  return statement;
};

let currentWaitMs = lockWaitMs;
const waitForLock = (ms: number): void => {
  if (ms === currentWaitMs) return;
  currentWaitMs = ms;
  db.exec(`PRAGMA busy_timeout = ${ms}`);
};

const perform = (request: ThreadRequest): ThreadResponse['result'] => {
  if (request.kind === 'close') {
    statements.clear();
    if (db.isOpen) db.close();
    return { rows: [], changes: 0 };
  }
  if (request.kind === 'rollback') {
    // SQLite rolls back by itself when the disk is full; a second ROLLBACK would hide the first error.
    if (db.isTransaction) db.exec('ROLLBACK');
    return { rows: [], changes: 0 };
  }
  const statement = prepare(request.sql);
  if (statement.columns().length === 0) {
    const { changes } = statement.run(...request.parameters);
    // This may have been BEGIN IMMEDIATE, which succeeds only if the lock is free.
    waitForLock(lockWaitMs);
    return { rows: [], changes: Number(changes) };
  }
  const rows = statement.all(...request.parameters);
  return { rows, changes: rows.length };
};

parentPort!.on('message', (request: ThreadRequest) => {
  if (request.kind !== 'close' && Atomics.load(discarded, 0) === 1) return;
  let response: ThreadResponse;
  try {
    response = { id: request.id, result: perform(request) };
  } catch (thrown) {
    const error = thrown as Error & { errcode?: number };
    if (isLockedCode(error.errcode)) waitForLock(Math.min(STILL_LOCKED_WAIT_MS, lockWaitMs));
    response = { id: request.id, error: { message: error.message, sqliteCode: error.errcode ?? null } };
  }
  parentPort!.postMessage(response);
  if (request.kind === 'close') parentPort!.close();
});
parentPort!.postMessage({ id: 0, result: { rows: [], changes: 0 } } satisfies ThreadResponse);
