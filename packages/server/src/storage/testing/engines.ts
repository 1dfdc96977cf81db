// Runs a test on SQLite, on PostgreSQL or on both, each time with a new empty database.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import pg from 'pg';
import { ulid } from 'ulid';
import type { Engine } from '../engine.ts';
import { openStorage, type Storage, type StorageOptions } from '../open.ts';

const POSTGRES_URL = process.env.FAIRCOPY_TEST_DATABASE_URL || 'postgres://postgres@127.0.0.1:5432/test';

/** Long, because the event loop may be busy for seconds while the tests of a process load. */
const CONNECT_TIMEOUT_MS = 60_000;

export interface Place {
  readonly engine: Engine;
  /** Opens the same database again, as another node or a restart would. */
  readonly options: StorageOptions;
  readonly storage: Storage;
}

/** An empty database, deleted after the test. */
export const emptyDatabase = async (t: TestContext, engine: Engine): Promise<StorageOptions> => {
  if (engine === 'sqlite') {
    const dataDir = await mkdtemp(join(tmpdir(), 'faircopy-test-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    return { dataDir };
  }
  const schema = `faircopy_test_${ulid().toLowerCase()}`;
  await asPostgres((client) => client.query(`create schema ${schema}`));
  t.after(() => asPostgres((client) => client.query(`drop schema ${schema} cascade`)));
  const url = new URL(POSTGRES_URL);
  url.searchParams.set('options', `-c search_path=${schema}`);
  return { dataDir: 'unused', databaseUrl: url.href };
};

/** Skips PostgreSQL if it is not running, unless FAIRCOPY_REQUIRE_POSTGRES is set. */
export const onBothEngines = (title: string, body: (t: TestContext, place: Place) => Promise<void>): void => {
  onEngine('sqlite', title, body);
  onEngine('postgres', title, body);
};

/** For code above the rooms whose own tests run on both engines. */
export const onSqlite = (title: string, body: (t: TestContext, place: Place) => Promise<void>): void =>
  onEngine('sqlite', title, body);

const onEngine = (engine: Engine, title: string, body: (t: TestContext, place: Place) => Promise<void>): void => {
  test(`${title} (${engine})`, { skip: engine === 'postgres' && postgresAbsence }, async (t) => {
    const options = await emptyDatabase(t, engine);
    const storage = await openStorage(options);
    try {
      await body(t, { engine, options, storage });
    } finally {
      await storage.close();
    }
  });
};

const asPostgres = async (work: (client: pg.Client) => Promise<unknown>): Promise<void> => {
  const client = new pg.Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
};

const findPostgres = async (): Promise<false | string> => {
  try {
    await asPostgres((client) => client.query('select 1'));
    return false;
  } catch (cause) {
    if (process.env.FAIRCOPY_REQUIRE_POSTGRES) throw cause;
    return 'no PostgreSQL at 127.0.0.1:5432 (set FAIRCOPY_TEST_DATABASE_URL to use another)';
  }
};

/** Why tests on PostgreSQL are skipped; false if they are not. */
export const postgresAbsence: false | string = await findPostgres();
