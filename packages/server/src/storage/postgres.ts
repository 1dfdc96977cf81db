// The PostgreSQL dialect: a connection pool with timeouts that replaces dead connections.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type pg from 'pg';
import { CompiledQuery, type Dialect, PostgresDialect } from '#kysely';

const INT8 = 20;
const NUMERIC = 1700;

const typesOf = ({ types }: typeof pg): pg.CustomTypesConfig => ({
  // pg returns these as strings because they can exceed 2^53. The times, counts and sums in this database cannot.
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format as 'text'),
});

export interface PostgresOptions {
  readonly url: string;
  readonly connectionsMax: number;
  /** 0: no limit. */
  readonly statementMsMax: number;
  /**
   * `in index order` turns sorting off. Pages of the ledger are index scans, but with stale statistics PostgreSQL would
   * sort a million rows instead.
   */
  readonly plans: 'any' | 'in index order';
}

const PLAN_SETTINGS = {
  any: null,
  'in index order': CompiledQuery.raw('set enable_sort = off; set enable_bitmapscan = off'),
} as const;

/** PostgreSQL cancels a late statement itself. If no reply arrives this long after that, the connection is dead. */
const NETWORK_MS = 1_000;

export const postgresDialect = async (options: PostgresOptions): Promise<Dialect> => {
  const { url, connectionsMax, statementMsMax, plans } = options;
  // Loaded on demand: it also loads Node's HTTP client, which takes longer than a whole command on SQLite.
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    types: typesOf(pg),
    max: connectionsMax,
    connectionTimeoutMillis: 5_000,
    statement_timeout: statementMsMax,
    idle_in_transaction_session_timeout: statementMsMax,
    query_timeout: statementMsMax === 0 ? 0 : statementMsMax + NETWORK_MS,
    keepAlive: true,
    application_name: 'faircopy',
    allowExitOnIdle: true,
  });
  // The pool drops a lost connection and its query fails. Without these listeners the 'error' event ends the process: it
  // fires on the pool while a connection is idle, and on the client while it is in use.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    destroyWhenSilent(client);
  });
  const settings = PLAN_SETTINGS[plans];
  return new PostgresDialect({
    pool,
    onCreateConnection: async (connection) => {
      if (settings) await connection.executeQuery(settings);
    },
  });
};

/** Destroys a connection after a read timeout, so that the pool does not hand it out again. */
const destroyWhenSilent = (client: pg.PoolClient): void => {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  const destroy = async (cause: Error): Promise<never> => {
    if (cause.message === 'Query read timeout' && !stream.destroyed) {
      const closed = once(stream, 'close');
      stream.destroy();
      // The pool must see the close before the client is released.
      await closed;
    }
    throw cause;
  };
  const watched = (...args: unknown[]): unknown => {
    const answer = query(...args);
    return answer instanceof Promise ? answer.catch(destroy) : answer;
  };
  Object.assign(client, { query: watched });
};
