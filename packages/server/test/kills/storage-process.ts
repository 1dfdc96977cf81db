// A process to be killed at random moments. Like the server, it authenticates, acquires a slot, records, then answers.
// It prints what its clients saw: "ready", "sent ID" before a request, "answered ID" after it.

import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { monotonicFactory } from 'ulid';
import { CachedAuthenticator } from '../../src/accounts/authentication/authenticator.ts';
import { DEFAULT_LIMITS } from '../../src/accounts/testing/limits.ts';
import { openStorage } from '../../src/storage/open.ts';
import { LedgerMeter } from '../../src/usage/ledger/ledger-meter.ts';
import { LeaseSlots } from '../../src/usage/stream-slots/lease-slots.ts';
import { plannedEntry, type RunPlan, SLOTS_MAX } from './run-plan.ts';

const plan: RunPlan = JSON.parse((await createInterface(process.stdin)[Symbol.asyncIterator]().next()).value);
/** Synchronous, so that every line printed before the kill arrives. */
const say = (line: string): void => {
  const bytes = Buffer.from(`${line}\n`);
  for (let at = 0; at < bytes.length; )
    try {
      at += writeSync(1, bytes, at);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EAGAIN') throw thrown;
    }
};

const storage = await openStorage(plan.database);
const authenticator = new CachedAuthenticator({ storage, defaults: { ...DEFAULT_LIMITS, maxStreams: SLOTS_MAX } });
const meter = new LedgerMeter(storage);
// The same node name in every run, so that the slots of the killed run are freed at once.
const slots = await LeaseSlots.open({ storage, node: 'killed' });

const serve = async (requestId: string): Promise<void> => {
  say(`sent ${requestId}`);
  const principal = await authenticator.authenticate(plan.key);
  if (!principal) throw new Error('the key was refused');
  const { slot } = await slots.acquire(principal.accountId, principal.limits.maxStreams);
  if (!slot) throw new Error('no slot was free, though only this process uses them');
  await meter.record(plannedEntry(requestId, principal.accountId, principal.keyId));
  if (plan.end === 'killed between row and answer' && Math.random() < 0.05) process.kill(process.pid, 'SIGKILL');
  say(`answered ${requestId}`);
  await slot.release();
};

say('ready');
// Clients of the killed run retry with the same request id.
await Promise.all(plan.retries.map(serve));
say('caught up');

const nextUlid = monotonicFactory();
const client = async (): Promise<void> => {
  while (plan.end !== 'normal exit') await serve(nextUlid());
};
await Promise.all(Array.from({ length: SLOTS_MAX - 2 }, client));
await slots.close();
await authenticator.close();
await meter.close();
await storage.close();
