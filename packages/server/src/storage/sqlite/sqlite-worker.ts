// The thread that owns one SQLite connection: takes one statement at a time, answers with its rows or its failure.
import { parentPort, workerData } from 'node:worker_threads';
import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import type { Answer, Question, ThreadData } from './sqlite-thread.ts';

const STATEMENTS_MAX = 200;
const { path, access, abandoned } = workerData as ThreadData;

const db = new DatabaseSync(path, { timeout: 5_000, enableForeignKeyConstraints: true });
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY');
if (access === 'read') db.exec('PRAGMA query_only = ON');

/** Prepared statements by their text, the least recently used first. */
const statements = new Map<string, StatementSyncInstance>();
const prepare = (text: string): StatementSyncInstance => {
  const statement = statements.get(text) ?? db.prepare(text);
  statements.delete(text);
  statements.set(text, statement);
  if (statements.size > STATEMENTS_MAX) statements.delete(statements.keys().next().value!);
  return statement;
};

const perform = (question: Question): Answer['result'] => {
  if (question.kind === 'close') {
    statements.clear();
    if (db.isOpen) db.close();
    return { rows: [], changes: 0 };
  }
  if (question.kind === 'rollback') {
    // A full disk has ended the transaction already; asking again would hide the first failure.
    if (db.isTransaction) db.exec('ROLLBACK');
    return { rows: [], changes: 0 };
  }
  const statement = prepare(question.sql);
  if (statement.columns().length === 0) {
    return { rows: [], changes: Number(statement.run(...question.parameters).changes) };
  }
  const rows = statement.all(...question.parameters);
  return { rows, changes: rows.length };
};

parentPort!.on('message', (question: Question) => {
  if (question.kind !== 'close' && Atomics.load(abandoned, 0) === 1) return;
  let answer: Answer;
  try {
    answer = { id: question.id, result: perform(question) };
  } catch (thrown) {
    const error = thrown as Error & { errcode?: number };
    answer = { id: question.id, error: { message: error.message, sqliteCode: error.errcode ?? null } };
  }
  parentPort!.postMessage(answer);
  if (question.kind === 'close') parentPort!.close();
});
parentPort!.postMessage({ id: 0, result: { rows: [], changes: 0 } } satisfies Answer);
