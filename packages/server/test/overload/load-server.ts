// Starts a server in a child process for load tests, and reads its address, API keys and state.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { testProgram } from '../programs/test-program.ts';
import { residentBytesOf } from './resident-bytes.ts';
import type { ServerPlan, ServerState } from './server-process.ts';

const SCRIPT = testProgram(new URL('./server-process.js', import.meta.url));

export interface LoadServer {
  readonly address: string;
  readonly port: number;
  readonly keys: readonly string[];
  /** Reads the server's state after a garbage collection. */
  state(): Promise<ServerState>;
  /** The server's resident memory, read without involving the server. */
  residentBytes(): number;
  /** Shuts the server down normally; resolves to its exit code. */
  close(): Promise<number | null>;
}

export const startLoadServer = async (
  plan: ServerPlan,
  env: Readonly<Record<string, string>> = {},
): Promise<LoadServer> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'faircopy-load-'));
  const child: ChildProcess = spawn(process.execPath, ['--expose-gc', SCRIPT, JSON.stringify(plan)], {
    env: { ...process.env, PORT: '0', FAIRCOPY_DATA_DIR: dataDir, FAIRCOPY_SHUTDOWN_GRACE_MS: '2000', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout!)[Symbol.asyncIterator]();
  const answer = async <T>(): Promise<T> => {
    const { value } = await lines.next();
    if (value === undefined) throw new Error('the server ended by itself');
    return JSON.parse(value) as T;
  };
  const { address, keys } = await answer<{ address: string; keys: string[] }>();
  let turn: Promise<unknown> = Promise.resolve();
  return {
    address,
    port: Number(new URL(address).port),
    keys,
    state: () => {
      const next = turn.then(() => {
        child.stdin!.write('\n');
        return answer<ServerState>();
      });
      turn = next.catch(() => {});
      return next;
    },
    residentBytes: () => residentBytesOf(child.pid!),
    close: async () => {
      await turn;
      child.stdin!.end();
      const [code] = await exited;
      rmSync(dataDir, { recursive: true, force: true });
      return code as number | null;
    },
  };
};
