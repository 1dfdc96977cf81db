// A server under load, as the program that loads it sees it: where it is, who may call it, and how it is.
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
  /** How it is now; with `collect`, after what is garbage has been collected. */
  state(collect?: 'collect'): Promise<ServerState>;
  /** Its memory now, as the machine sees it: costs the server nothing. */
  residentBytes(): number;
  /** Ends it in the ordinary way; resolves to its exit code. */
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
    state: (collect) => {
      const next = turn.then(() => {
        child.stdin!.write(`${collect ?? 'state'}\n`);
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
