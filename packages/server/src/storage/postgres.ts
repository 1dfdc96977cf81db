// PostgreSQL through a pool: numbers as numbers, a bound on every wait, lost connections noticed and replaced.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { CompiledQuery, type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';

const INT8 = 20;
const NUMERIC = 1700;

const types: pg.CustomTypesConfig = {
  // pg hands these out as strings, since they may exceed what a number holds; ours are times, counts and sums that do not.
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

export interface PostgresOptions {
  readonly url: string;
  readonly connectionsMax: number;
  /** How long a statement may take; 0 is without bound. */
  readonly statementMsMax: number;
  /**
   * What plans are preferred. A page of the ledger is a walk along an index; where statistics are old or missing,
   * PostgreSQL believes that it is cheaper to sort a million rows.
   */
  readonly plans: 'any' | 'in index order';
}

const PLAN_SETTINGS = {
  any: null,
  'in index order': CompiledQuery.raw('set enable_sort = off; set enable_bitmapscan = off'),
} as const;

/** The server cancels a statement that is late; should its answer never come, the network is to blame a little later. */
const NETWORK_MS = 1_000;

export const postgresDialect = ({ url, connectionsMax, statementMsMax, plans }: PostgresOptions): Dialect => {
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: connectionsMax,
    connectionTimeoutMillis: 5_000,
    statement_timeout: statementMsMax,
    idle_in_transaction_session_timeout: statementMsMax,
    query_timeout: statementMsMax === 0 ? 0 : statementMsMax + NETWORK_MS,
    keepAlive: true,
    application_name: 'faircopy',
    allowExitOnIdle: true,
  });
  // A connection that is lost is dropped by the pool, and the query on it fails. The event itself would end the process
  // if nobody listened: on the pool while the connection is idle, on the connection while it is in use.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    abandonWhenSilent(client);
  });
  const settings = PLAN_SETTINGS[plans];
  return new PostgresDialect({
    pool,
    onCreateConnection: async (connection) => {
      if (settings) await connection.executeQuery(settings);
    },
  });
};

/** A connection whose answer never came would make all who get it next wait as long; this takes it out of use. */
const abandonWhenSilent = (client: pg.PoolClient): void => {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  const abandon = async (cause: Error): Promise<never> => {
    if (cause.message === 'Query read timeout' && !stream.destroyed) {
      const closed = once(stream, 'close');
      stream.destroy();
      // The pool must know before it gets the connection back.
      await closed;
    }
    throw cause;
  };
  const watched = (...args: unknown[]): unknown => {
    const answer = query(...args);
    return answer instanceof Promise ? answer.catch(abandon) : answer;
  };
  Object.assign(client, { query: watched });
};
