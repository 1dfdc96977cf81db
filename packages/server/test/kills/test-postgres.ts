// A temporary PostgreSQL server that tests can kill.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../src/lib/net/testing/free-port.ts';

export const DATABASE_PARTS = ['database connections', 'database backend', 'database server'] as const;
export type DatabasePart = (typeof DATABASE_PARTS)[number];

export interface TestPostgres {
  readonly databaseUrl: string;
  /** Kills a part; resolves when the server accepts connections again. */
  kill(part: DatabasePart): Promise<void>;
  close(): Promise<void>;
}

const DEBIAN_FOLDER = '/usr/lib/postgresql';
const START_MS_MAX = 60_000;

/** The folder of PostgreSQL's programs; undefined if it is not installed. */
export const postgresPrograms = (): string | undefined => {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
  return [...versions.map((version) => join(DEBIAN_FOLDER, version, 'bin')), '/usr/local/bin', '/usr/bin'].find(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  );
};

/** PostgreSQL refuses to run as root, so root runs it as the user `postgres`. */
const unprivileged = (): { uid?: number; gid?: number } => {
  if (userInfo().uid !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']).toString());
  return { uid: id('-u'), gid: id('-g') };
};

export const startTestPostgres = async (programs: string): Promise<TestPostgres> => {
  const user = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), 'faircopy-postgres-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!);
  const data = join(folder, 'data');
  const environment = { cwd: folder, env: { ...process.env, LC_ALL: 'C' }, ...user };
  execFileSync(join(programs, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8'], {
    ...environment,
    stdio: 'ignore',
  });
  const port = await freePort();
  const databaseUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server: ChildProcess;

  const asAdmin = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 1_000 });
    client.on('error', () => {});
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end().catch(() => {});
    }
  };
  const start = (): void => {
    const options = ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'];
    server = spawn(join(programs, 'postgres'), [...options, '-c', 'log_min_messages=fatal'], {
      ...environment,
      stdio: 'ignore',
    });
  };
  const untilUp = async (): Promise<void> => {
    for (const deadline = Date.now() + START_MS_MAX; ; await wait(50)) {
      // A new server cannot start while children of the killed one still hold its shared memory.
      if (server.exitCode !== null || server.signalCode !== null) start();
      try {
        await asAdmin((client) => client.query('select 1'));
        return;
      } catch (cause) {
        if (Date.now() > deadline) throw cause;
      }
    }
  };
  const others = 'pid <> pg_backend_pid() and application_name = $1';

  const kills: Record<DatabasePart, () => Promise<void>> = {
    'database connections': () =>
      asAdmin(async (client) => {
        await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`, ['faircopy']);
      }),
    'database backend': () =>
      asAdmin(async (client) => {
        const { rows } = await client.query(`select pid from pg_stat_activity where ${others} limit 1`, ['faircopy']);
        if (rows[0]) process.kill(rows[0].pid, 'SIGKILL');
      }),
    'database server': async () => {
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      await exited;
    },
  };

  start();
  await untilUp();
  return {
    databaseUrl,
    kill: async (part) => {
      await kills[part]().catch(() => {});
      await untilUp();
    },
    close: async () => {
      const exited = once(server, 'exit');
      server.kill('SIGINT');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
