// The real server on an engine of fixed compute time, in a process of its own, so that its memory can be measured.
// Prints its address and the keys of its accounts; then answers each line it is given with its state, as JSON.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { ensureAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { createApp } from '../../src/app/app.ts';
import { parseConfig } from '../../src/app/config.ts';
import { letHeapGrow } from '../../src/lib/process/heap.ts';
import { silentLog } from '../../src/observability/log.ts';
import { ProcessEngine } from '../kills/process-engine.ts';
import { residentBytesOf } from './resident-bytes.ts';
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
  /** The same by what they are open on. */
  readonly descriptorKinds: Readonly<Record<string, number>>;
  /** Timers, sockets and the like that the event loop knows, by kind. */
  readonly resources: Readonly<Record<string, number>>;
  readonly openProbes: number;
  /** Memory of the processes below this one. */
  readonly childBytes: number;
  readonly leases: number;
  readonly rows: number;
  readonly successes: number;
}

letHeapGrow();
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

const childPids = (): number[] =>
  engine instanceof ProcessEngine ? [...engine.recogniserPids, ...engine.voicePids] : [];

const countsOf = (kinds: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

/** Sockets by their inode: of the network with their state, or to another process of this machine. */
const socketKinds = (): Map<string, string> => {
  const kinds = new Map<string, string>();
  const add = (table: string, column: number, kindOf: (row: readonly string[]) => string) => {
    for (const line of readFileSync(`/proc/self/net/${table}`, 'utf8').split('\n').slice(1)) {
      const row = line.trim().split(/\s+/);
      if (row[column]) kinds.set(row[column], kindOf(row));
    }
  };
  for (const table of ['tcp', 'tcp6']) add(table, 9, (row) => `tcp socket in state ${row[3]}`);
  add('unix', 6, () => 'unix socket');
  return kinds;
};

/** What a descriptor is open on: the name of a file, or the kind of anything else. */
const descriptorKind = (descriptor: string, sockets: ReadonlyMap<string, string>): string => {
  try {
    const [, kind = '', inode = ''] = /^(.*?)(?::\[(\d+)\])?$/.exec(
      basename(readlinkSync(`/proc/self/fd/${descriptor}`)),
    )!;
    return kind === 'socket' ? (sockets.get(inode) ?? kind) : kind;
  } catch {
    // The one that the list itself was read by.
    return 'closed';
  }
};

const state = async (): Promise<ServerState> => {
  const { rss, heapUsed } = process.memoryUsage();
  const descriptors = readdirSync('/proc/self/fd');
  const sockets = socketKinds();
  return {
    rssBytes: rss,
    heapBytes: heapUsed,
    descriptors: descriptors.length,
    descriptorKinds: countsOf(descriptors.map((descriptor) => descriptorKind(descriptor, sockets))),
    resources: countsOf(process.getActiveResourcesInfo()),
    openProbes: engine instanceof TimedEngine ? engine.openProbes : 0,
    childBytes: childPids().reduce((sum, pid) => sum + residentBytesOf(pid), 0),
    leases: await count('stream_leases'),
    rows: await count('usage_records'),
    successes: await count('usage_records', true),
  };
};

for await (const line of createInterface(process.stdin)) {
  if (line === 'collect') globalThis.gc?.();
  process.stdout.write(`${JSON.stringify(await state())}\n`);
}
// The parent has gone, or wants this process to end.
await app.close();
process.exit(0);
