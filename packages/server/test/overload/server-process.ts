// The real server on an engine of fixed compute time, in a process of its own so that its memory can be told.
// Prints its address and the keys of its accounts; then answers each line it is given with its state, as JSON.
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ensureAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys.ts';
import { createApp } from '../../src/app.ts';
import { parseConfig } from '../../src/platform/config.ts';
import { silentLog } from '../../src/platform/log.ts';
import { ProcessEngine } from '../kills/process-engine.ts';
import { type ComputeTime, TimedEngine } from './timed-engine.ts';

export interface ServerPlan {
  readonly accounts: number;
  /** An engine in the process itself; without it, recognisers and voice activity run in processes of their own. */
  readonly compute?: ComputeTime;
}

export interface ServerState {
  readonly rssBytes: number;
  readonly heapBytes: number;
  /** Open files and sockets of the process. */
  readonly descriptors: number;
  /** Timers, sockets and the like that the event loop knows, by kind. */
  readonly resources: Readonly<Record<string, number>>;
  readonly openProbes: number;
  /** Memory of the processes below this one. */
  readonly childBytes: number;
  readonly leases: number;
  readonly rows: number;
  readonly successes: number;
}

const plan = JSON.parse(process.argv[2]!) as ServerPlan;
const engine = plan.compute ? new TimedEngine(plan.compute) : new ProcessEngine(2);
const app = await createApp(parseConfig(process.env), { log: silentLog(), engine });
const address = await app.listen();
await app.warm();
const keys: string[] = [];
for (let nth = 0; nth < plan.accounts; nth++) {
  const { account } = await ensureAccount(app.storage, `account ${nth}`);
  keys.push((await createKey(app.storage, { accountId: account.id, name: 'load', createdBy: null })).key);
}
process.stdout.write(`${JSON.stringify({ address, keys })}\n`);

const count = async (table: 'stream_leases' | 'usage_records', success = false): Promise<number> => {
  const rows = app.storage.read.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('rows'));
  const counted = success ? rows.where('status' as never, '=', 'success' as never) : rows;
  return (await counted.executeTakeFirstOrThrow()).rows;
};

const PAGE_BYTES = 4_096;
const bytesOf = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
  } catch {
    // It has just ended.
    return 0;
  }
};
const childPids = (): number[] =>
  engine instanceof ProcessEngine ? [...engine.recogniserPids, ...engine.voicePids] : [];

const state = async (): Promise<ServerState> => {
  const resources: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  const { rss, heapUsed } = process.memoryUsage();
  return {
    rssBytes: rss,
    heapBytes: heapUsed,
    descriptors: readdirSync('/proc/self/fd').length,
    resources,
    openProbes: engine instanceof TimedEngine ? engine.openProbes : 0,
    childBytes: childPids().reduce((sum, pid) => sum + bytesOf(pid), 0),
    leases: await count('stream_leases'),
    rows: await count('usage_records'),
    successes: await count('usage_records', true),
  };
};

for await (const line of createInterface(process.stdin)) {
  if (line === 'collect') globalThis.gc?.();
  process.stdout.write(`${JSON.stringify(await state())}\n`);
}
// Whoever started it has gone, or wants it to end.
await app.close();
process.exit(0);
