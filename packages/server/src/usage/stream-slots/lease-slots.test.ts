import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openStorage } from '../../storage/open.ts';
import { onBothEngines } from '../../storage/testing/engines.ts';
import { LeaseSlots } from './lease-slots.ts';

onBothEngines('slots are granted up to the limit and freed by release', async (_t, { storage }) => {
  const slots = await LeaseSlots.open({ storage, node: 'a' });
  const first = await slots.acquire('acme', 2);
  const second = await slots.acquire('acme', 2);
  assert.deepEqual([first.remaining, second.remaining], [1, 0]);
  const refused = await slots.acquire('acme', 2);
  assert.deepEqual(refused, { slot: null, limit: 2, remaining: 0 });
  assert.ok((await slots.acquire('other', 1)).slot);
  await first.slot?.release();
  await first.slot?.release();
  assert.ok((await slots.acquire('acme', 2)).slot);
  assert.equal((await slots.acquire('acme', 2)).slot, null);
  await slots.close();
});

onBothEngines('a limit of 0 refuses, and a raised limit applies to the next call', async (_t, { storage }) => {
  const slots = await LeaseSlots.open({ storage, node: 'a' });
  assert.equal((await slots.acquire('acme', 0)).slot, null);
  assert.ok((await slots.acquire('acme', 1)).slot);
  assert.ok((await slots.acquire('acme', 2)).slot);
  assert.equal((await slots.acquire('acme', 1)).slot, null);
  await slots.close();
});

onBothEngines("concurrent nodes never exceed an account's limit", async (_t, { storage, options }) => {
  const elsewhere = await openStorage(options);
  const nodes = await Promise.all([
    LeaseSlots.open({ storage, node: 'a' }),
    LeaseSlots.open({ storage: elsewhere, node: 'b' }),
    LeaseSlots.open({ storage: elsewhere, node: 'c' }),
  ]);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.tuple(fc.nat(2), fc.nat(2)), { maxLength: 60 }),
      async (limit, asks) => {
        const answers = await Promise.all(
          asks.map(([node, account]) => nodes[node]!.acquire(`account ${account}`, limit)),
        );
        for (const account of [0, 1, 2]) {
          const asked = asks.filter(([, of]) => of === account).length;
          const granted = answers.filter(({ slot }, n) => slot && asks[n]![1] === account).length;
          assert.equal(granted, Math.min(asked, limit));
        }
        await Promise.all(answers.map(({ slot }) => slot?.release()));
      },
    ),
    { numRuns: 15 },
  );
  await Promise.all(nodes.map((node) => node.close()));
  await elsewhere.close();
});

onBothEngines('the slots of a dead server are freed when its leases expire', async (_t, { storage }) => {
  const dead = await LeaseSlots.open({ storage, node: 'dead' });
  assert.ok((await dead.acquire('acme', 1)).slot);
  const alive = await LeaseSlots.open({ storage, node: 'alive' });
  assert.equal((await alive.acquire('acme', 1)).slot, null);
  await storage.write.updateTable('stream_leases').set({ expires_at_ms: 1 }).execute();
  assert.ok((await alive.acquire('acme', 1)).slot);
  await Promise.all([dead.close(), alive.close()]);
});

onBothEngines('a restarted server frees the slots of its dead predecessor at once', async (_t, { storage }) => {
  const dead = await LeaseSlots.open({ storage, node: 'here' });
  const elsewhere = await LeaseSlots.open({ storage, node: 'there' });
  assert.ok((await dead.acquire('acme', 2)).slot);
  assert.ok((await elsewhere.acquire('acme', 2)).slot);
  const successor = await LeaseSlots.open({ storage, node: 'here' });
  assert.ok((await successor.acquire('acme', 2)).slot);
  assert.equal((await successor.acquire('acme', 2)).slot, null);
  await Promise.all([dead, elsewhere, successor].map((slots) => slots.close()));
});

onBothEngines('close frees all slots', async (_t, { storage }) => {
  const slots = await LeaseSlots.open({ storage, node: 'a' });
  await Promise.all(Array.from({ length: 5 }, () => slots.acquire('acme', 5)));
  await slots.close();
  assert.equal((await storage.write.selectFrom('stream_leases').selectAll().execute()).length, 0);
});
