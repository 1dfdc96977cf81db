// One region in its own network namespace: PostgreSQL, NATS, a gateway and a worker.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type OwnNats, startOwnNats } from '../../src/cluster/testing/own-nats.ts';
import { openStorage, type Storage } from '../../src/storage/open.ts';
import type { GatewayFigures } from '../cluster/gateway-process.ts';
import { Machine } from '../cluster/machine.ts';
import { NamespaceCable } from '../cluster/namespace-cable.ts';
import type { WorkerFigures } from '../cluster/worker-process.ts';
import { postgresPrograms } from '../kills/test-postgres.ts';

export const POSTGRES_PORT = 5432;
/** The port for the other region's NATS. */
export const JOIN_PORT = 7222;
const START_MS_MAX = 60_000;

/** PostgreSQL does not run as root. */
const AS_POSTGRES = ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--clear-groups'] as const;
const programs = (): string => {
  const folder = postgresPrograms();
  if (folder === undefined) throw new Error('PostgreSQL is not installed');
  return folder;
};

export class Region {
  readonly name: string;
  readonly network: NamespaceCable;
  readonly #folder = mkdtempSync(join(tmpdir(), 'faircopy-region-'));
  #postgres: ChildProcess | undefined;
  #nats: OwnNats | undefined;
  storage!: Storage;
  gateway!: Machine<GatewayFigures>;
  worker!: Machine<WorkerFigures>;

  constructor(name: string, nth: number) {
    this.name = name;
    this.network = NamespaceCable.open(nth, 0);
  }

  get databaseUrl(): string {
    return `postgres://postgres@${this.network.far}:${POSTGRES_PORT}/postgres`;
  }

  /** Starts a database with the server's tables and no accounts. */
  async startDatabase(): Promise<void> {
    chmodSync(this.#folder, 0o777);
    const data = join(this.#folder, 'data');
    const [program = '', ...words] = [...AS_POSTGRES, join(programs(), 'initdb'), '-D', data, '-A', 'trust', '-N'];
    execFileSync(program, words, { stdio: 'ignore', cwd: tmpdir() });
    execFileSync('sh', ['-c', `echo 'host all all 10.0.0.0/8 trust' >> ${data}/pg_hba.conf`]);
    const settings = [`listen_addresses=${this.network.far}`, `port=${POSTGRES_PORT}`, 'wal_level=logical'];
    const [first = '', ...rest] = [
      ...[...this.network.prefix, ...AS_POSTGRES, join(programs(), 'postgres'), '-D', data, '-k', this.#folder],
      ...settings.flatMap((setting) => ['-c', setting]),
    ];
    this.#postgres = spawn(first, rest, { stdio: 'ignore', cwd: tmpdir() });
    for (const untilMs = Date.now() + START_MS_MAX; ; await wait(200))
      try {
        this.storage = await openStorage({ dataDir: this.#folder, databaseUrl: this.databaseUrl });
        return;
      } catch (cause) {
        if (Date.now() > untilMs) throw cause;
      }
  }

  /** NATS joins the other region's at `otherUrl`, which reaches this one at `ownUrl`. */
  async startServices(other: string, otherUrl: string, ownUrl: string): Promise<void> {
    const { prefix, far } = this.network;
    const advertised = new URL(ownUrl).host;
    this.#nats = await startOwnNats({
      host: far,
      prefix,
      settings: `gateway {
        name: "${this.name}", listen: "${far}:${JOIN_PORT}", advertise: "${advertised}"
        gateways: [{ name: "${other}", url: "${otherUrl}" }]
      }`,
    });
    const cable = { url: `nats://${far}:${this.#nats.port}`, cut: () => {}, mend: () => {}, close: async () => {} };
    const env = { DATABASE_URL: this.databaseUrl, HOST: '0.0.0.0', LOG_LEVEL: 'fatal' };
    const machine = { cable, prefix };
    this.gateway = new Machine({
      ...machine,
      name: `gateway-${this.name}`,
      entry: './gateway-process.js',
      env: { ...env, FAIRCOPY_RECOGNISERS: 'none' },
    });
    const plan = { kind: 'timer', slots: 2, windowMs: 100 } as const;
    this.worker = new Machine({ ...machine, name: `worker-${this.name}`, entry: './worker-process.js', plan, env });
    await this.gateway.start();
    await this.worker.start();
  }

  /** The gateway's address as seen from this machine. */
  get address(): string {
    return `http://${this.network.far}:${new URL(this.gateway.greeting).port}`;
  }

  /** Kills everything at once, without notice to connected parties. */
  async lose(): Promise<void> {
    this.network.cut();
    this.#postgres?.kill('SIGQUIT');
    await Promise.all([this.gateway.kill(), this.worker.kill(), this.#nats?.kill()]);
  }

  async close(): Promise<void> {
    // Connections to killed processes end at once.
    this.network.mend();
    await this.gateway?.close();
    await this.worker?.close();
    await this.storage?.close().catch(() => {});
    await this.#nats?.close();
    if (this.#postgres && this.#postgres.exitCode === null && this.#postgres.signalCode === null) {
      const exited = once(this.#postgres, 'exit');
      this.#postgres.kill('SIGQUIT');
      await exited;
    }
    await this.network.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
