// A stand-in for a busy server that is killed at random moments: authenticates, takes a slot, records, then answers.
// Lines it prints are what its clients saw: "ready", "sent ID" before a request, "answered ID" after it.
import { createInterface } from 'node:readline';
import { monotonicFactory } from 'ulid';
import { CachedAuthenticator } from '../../src/accounts/authenticator.ts';
import { openStorage } from '../../src/storage/open.ts';
import { LeaseSlots } from '../../src/usage/lease-slots.ts';
import { LedgerMeter } from '../../src/usage/ledger-meter.ts';
import { type Orders, plannedEntry, STREAMS } from './plan.ts';

const orders: Orders = JSON.parse((await createInterface(process.stdin)[Symbol.asyncIterator]().next()).value);
// Pipes are written at once on POSIX: what was printed before the kill is what a client received.
const say = (line: string) => process.stdout.write(`${line}\n`);

const storage = await openStorage(orders.database);
const authenticator = new CachedAuthenticator({ storage, defaults: { maxStreams: STREAMS, maxDurationSeconds: 300 } });
const meter = new LedgerMeter(storage);
// The same place every time: the slots of the one that was killed must be free again at once.
const slots = await LeaseSlots.open({ storage, node: 'victim' });

const serve = async (requestId: string): Promise<void> => {
  say(`sent ${requestId}`);
  const principal = await authenticator.authenticate(orders.key);
  if (!principal) throw new Error('the key was refused');
  const { slot } = await slots.acquire(principal.accountId, principal.limits.maxStreams);
  if (!slot) throw new Error('no slot was free, though only this process uses them');
  await meter.record(plannedEntry(requestId, principal.accountId, principal.keyId));
  if (orders.end === 'killed between row and answer' && Math.random() < 0.05) process.kill(process.pid, 'SIGKILL');
  say(`answered ${requestId}`);
  await slot.release();
};

say('ready');
// Clients of the one that was killed try again with the same request.
await Promise.all(orders.again.map(serve));
say('caught up');

const nextUlid = monotonicFactory();
const client = async (): Promise<void> => {
  while (orders.end !== 'in peace') await serve(nextUlid());
};
await Promise.all(Array.from({ length: STREAMS - 2 }, client));
await slots.close();
await authenticator.close();
await meter.close();
await storage.close();
