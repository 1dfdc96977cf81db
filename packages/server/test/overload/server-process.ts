// The real server with a simulated engine, in its own process, so that its memory can be measured.
// Prints its address and the keys of its accounts, then its state as JSON for each line of input.
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
  /** Times of an engine in this process. Absent: recognisers and voice activity detection run in child processes. */
  readonly compute?: ComputeTime;
}

export interface ServerState {
  readonly rssBytes: number;
  readonly heapBytes: number;
  /** Open files and sockets of the process. */
  readonly descriptors: number;
  /** Descriptors by kind. */
  readonly descriptorKinds: Readonly<Record<string, number>>;
  /** Active resources of the event loop, such as timers and sockets, by kind. */
  readonly resources: Readonly<Record<string, number>>;
  readonly openProbes: number;
  /** Resident memory of the child processes. */
  readonly childBytes: number;
  readonly leases: number;
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

const countLeases = async (): Promise<number> => {
  const leases = app.storage.read.selectFrom('stream_leases').select(({ fn }) => fn.countAll<number>().as('count'));
  return (await leases.executeTakeFirstOrThrow()).count;
};

const childPids = (): number[] =>
  engine instanceof ProcessEngine ? [...engine.recogniserPids, ...engine.voicePids] : [];

const countsOf = (kinds: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

/** Kinds of sockets by inode: TCP sockets with their state, and Unix sockets. */
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

/** The kind of a descriptor: the name of a file, or the type of anything else. */
const descriptorKind = (descriptor: string, sockets: ReadonlyMap<string, string>): string => {
  try {
    const [, kind = '', inode = ''] = /^(.*?)(?::\[(\d+)\])?$/.exec(
      basename(readlinkSync(`/proc/self/fd/${descriptor}`)),
    )!;
    return kind === 'socket' ? (sockets.get(inode) ?? kind) : kind;
  } catch {
    // The descriptor with which the list was read is already closed.
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
    leases: await countLeases(),
  };
};

for await (const _line of createInterface(process.stdin)) {
  globalThis.gc?.();
  process.stdout.write(`${JSON.stringify(await state())}\n`);
}
// The parent ended or closed the pipe.
await app.close();
process.exit(0);
