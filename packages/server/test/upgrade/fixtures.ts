// Databases written by earlier releases; see write-0.1.0.mjs.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import type { Engine } from '../../src/storage/engine.ts';
import type { StorageOptions } from '../../src/storage/open.ts';
import { emptyDatabase } from '../../src/storage/testing/engines.ts';

/** Compiled tests are in dist/; the fixtures stay beside their source. */
const folder = fileURLToPath(new URL('../../../test/upgrade/', import.meta.url));

export type Row = Record<string, unknown>;
export type Tables = ReadonlyMap<string, readonly Row[]>;

export interface OldDatabase {
  readonly options: StorageOptions;
  /** All rows of all tables, in the driver's types. */
  tables(): Promise<Tables>;
}

export const databaseOf010 = async (t: TestContext, engine: Engine): Promise<OldDatabase> => {
  const options = await emptyDatabase(t, engine);
  return engine === 'sqlite' ? sqliteOf010(options) : postgresOf010(options);
};

const sqliteOf010 = async (options: StorageOptions): Promise<OldDatabase> => {
  const path = join(options.dataDir, 'faircopy.db');
  await writeFile(path, gunzipSync(await readFile(join(folder, 'sqlite-0.1.0.db.gz'))));
  const tables = async () => {
    const db = new DatabaseSync(path, { readOnly: true });
    const names = db.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[];
    const found = new Map(names.map(({ name }) => [name, db.prepare(`select * from ${name}`).all() as Row[]] as const));
    db.close();
    return found;
  };
  return { options, tables };
};

const postgresOf010 = async (options: StorageOptions): Promise<OldDatabase> => {
  const ask = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: options.databaseUrl });
    await client.connect();
    return work(client).finally(() => client.end());
  };
  const script = await readFile(join(folder, 'postgres-0.1.0.sql'), 'utf8');
  await ask((client) => client.query(script));
  const tables = () =>
    ask(async (client) => {
      const names = await client.query<{ name: string }>(
        'select tablename as name from pg_tables where schemaname = current_schema()',
      );
      const found = new Map<string, Row[]>();
      for (const { name } of names.rows) found.set(name, (await client.query<Row>(`select * from ${name}`)).rows);
      return found;
    });
  return { options, tables };
};
