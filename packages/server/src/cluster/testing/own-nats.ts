// A NATS server on a free port that tests can kill and restart.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../lib/net/testing/free-port.ts';

const PROGRAM = ['/usr/sbin/nats-server', '/usr/local/bin/nats-server', '/usr/bin/nats-server'].find((path) =>
  existsSync(path),
);
const START_MS_MAX = 20_000;

/** Why tests with NATS are skipped; false when they run. */
export const natsAbsence = PROGRAM === undefined && 'nats-server is not installed';
if (natsAbsence !== false && process.env.FAIRCOPY_REQUIRE_NATS) throw new Error(natsAbsence);

export interface OwnNats {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Kills the server; `start` restarts it on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

const isListening = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

export interface OwnNatsOptions {
  /** Additional configuration. */
  readonly settings?: string;
  readonly host?: string;
  /** Command before the program, such as `ip netns exec name`. */
  readonly prefix?: readonly string[];
  /** Variables for its configuration. */
  readonly env?: Readonly<Record<string, string>>;
}

export const startOwnNats = async (options: OwnNatsOptions = {}): Promise<OwnNats> => {
  const { settings = '', host = '127.0.0.1', prefix = [], env = {} } = options;
  const folder = mkdtempSync(join(tmpdir(), 'faircopy-nats-'));
  const port = await freePort();
  const file = join(folder, 'nats.conf');
  writeFileSync(file, `listen: "${host}:${port}"\n${settings}\n`);
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    const [command = '', ...more] = [...prefix, PROGRAM!];
    child = spawn(command, [...more, '-c', file], { stdio: 'ignore', env: { ...process.env, ...env } });
    // With a prefix, it runs in another network that cannot be checked from here.
    if (prefix.length > 0) return;
    for (const deadline = Date.now() + START_MS_MAX; !(await isListening(host, port)); await wait(20))
      if (Date.now() > deadline) throw new Error('nats-server did not start');
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  await start();
  return {
    url: `nats://${host}:${port}`,
    port,
    get pid() {
      return child.pid!;
    },
    kill,
    start,
    close: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
