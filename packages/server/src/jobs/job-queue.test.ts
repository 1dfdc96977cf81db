import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sql } from '#kysely';
import { openStorage } from '../storage/open.ts';
import { ProcessLease } from '../storage/process-lease.ts';
import { onBothEngines, type Place } from '../storage/testing/engines.ts';
import { LedgerMeter } from '../usage/ledger/ledger-meter.ts';
import type { UsageEntry } from '../usage/meter.ts';
import { entry } from '../usage/testing/entries.ts';
import { JobCleanup } from './job-cleanup.ts';
import { JobIntake } from './job-intake.ts';
import { cancelJob, findJob, listJobs } from './job-list.ts';
import { type ClaimedJob, JobQueue } from './job-queue.ts';
import { AMPLE_LIMITS, HOUR_MS, submitJob, TEST_SECRET, testCaller } from './testing/submit.ts';

const MODELS = ['svc-1.0-lite'] as const;
const RESULT = { state: 'succeeded', sealedResult: Buffer.from('sealed'), sealedWebhook: null } as const;

const entryOf = ({ id, accountId, keyId }: ClaimedJob): UsageEntry => entry({ requestId: id, accountId, keyId });

/** One server process. */
const processOn = async ({ options }: Place, node: string) => {
  const storage = await openStorage(options);
  const lease = await ProcessLease.open({ storage, node });
  const meter = new LedgerMeter(storage);
  const holderId = lease.id;
  const queue = new JobQueue({ storage, meter, holderId, secret: TEST_SECRET, keepMs: HOUR_MS });
  const intake = new JobIntake({ storage, holderId, secret: TEST_SECRET, limits: AMPLE_LIMITS });
  return {
    storage,
    queue,
    intake,
    submit: (accountId = 'a') => submitJob(storage, accountId),
    cleanup: new JobCleanup(storage, queue, intake),
    /** Leaves the lease behind, like a kill. */
    kill: async () => {
      await meter.close();
      await storage.close();
    },
    close: async () => {
      await meter.close();
      await lease.close();
      await storage.close();
    },
  };
};

onBothEngines('concurrent processes claim each job once', async (_t, place) => {
  const processes = [await processOn(place, 'one'), await processOn(place, 'two'), await processOn(place, 'three')];
  const ids: string[] = [];
  for (let n = 0; n < 30; n++) ids.push(await processes[0]!.submit(`account ${n % 4}`));
  const taken: string[] = [];
  const takeAll = async ({ queue }: (typeof processes)[number]) => {
    for (let job = await queue.claim(MODELS); job; job = await queue.claim(MODELS)) taken.push(job.id);
  };
  await Promise.all(processes.flatMap((each) => [takeAll(each), takeAll(each)]));
  assert.deepEqual(taken.sort(), ids.sort());
  for (const each of processes) await each.close();
});

onBothEngines("a dead process's job is claimed again, and its late result is ignored", async (_t, place) => {
  const [one, two] = [await processOn(place, 'one'), await processOn(place, 'two')];
  const id = await one.submit();
  const first = (await one.queue.claim(MODELS))!;
  assert.equal(first.id, id);
  await two.queue.requeueOrphans([]);
  assert.equal(await two.queue.claim(MODELS), null, 'a live process keeps what it has');
  await two.storage.write.deleteFrom('server_processes').where('node', '=', 'one').execute();
  await two.queue.requeueOrphans([]);
  const again = (await two.queue.claim(MODELS))!;
  assert.deepEqual([again.id, again.attempts], [id, 2]);
  assert.deepEqual(await one.queue.findLost([id]), [id]);
  assert.equal(await one.queue.finish(id, RESULT, entryOf(first)), false);
  assert.equal(await two.queue.finish(id, RESULT, entryOf(again)), true);
  assert.equal(await two.queue.finish(id, RESULT, entryOf(again)), false, 'it ends once');
  const rows = await two.storage.read.selectFrom('usage_records').select('request_id').execute();
  assert.deepEqual(rows, [{ request_id: id }]);
  await two.close();
  await one.kill();
});

onBothEngines('audio is read back as it was sent, in any chunk sizes', async (_t, place) => {
  const one = await processOn(place, 'one');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 700_000 }), { minLength: 1, maxLength: 5 }), async (sizes) => {
      const audio = sizes.map((size, nth) => Buffer.alloc(size, nth + 1));
      const id = await submitJob(one.storage, 'a', { audio });
      const parts: Uint8Array[] = [];
      for await (const part of one.queue.audioOf(id)) parts.push(part);
      assert.ok(Buffer.concat(parts).equals(Buffer.concat(audio)));
      assert.equal((await findJob(one.storage, { id })).job.audioBytes, Buffer.concat(audio).length);
    }),
    { numRuns: 8 },
  );
  await one.close();
});

onBothEngines('an upload ends with 503 before the disk is full, and leaves nothing behind', async (_t, place) => {
  const one = await processOn(place, 'one');
  const MB = 1024 * 1024;
  let freeBytes = 60 * MB;
  const readVolume = async () => ({ freeBytes, totalBytes: 1_000 * MB });
  const parts = { storage: one.storage, holderId: 'one', secret: TEST_SECRET, limits: AMPLE_LIMITS };
  const intake = new JobIntake({ ...parts, readVolume });
  const incoming = await intake.open(testCaller('a'));
  await incoming.write(Buffer.alloc(600_000));
  freeBytes = 51 * MB;
  await assert.rejects(incoming.write(Buffer.alloc(600_000))!, { code: 'SERVICE_UNAVAILABLE', message: /disk/ });
  await incoming.discard();
  assert.equal((await one.storage.read.selectFrom('job_audio').select('job_id').execute()).length, 0);
  freeBytes = 50 * MB;
  await assert.rejects(intake.open(testCaller('a')), { code: 'SERVICE_UNAVAILABLE', message: /disk/ });
  await one.close();
});

/** Steps in random order. Each accepted job must end once, and only successes are billed. */
const STEPS = ['submit', 'take', 'end', 'put back', 'cancel', 'die', 'take back', 'clean'] as const;

onBothEngines('in any order of events, each job ends once and is billed at most once', async (_t, place) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...STEPS), { maxLength: 40 }),
      fc.infiniteStream(fc.nat(1_000)),
      async (steps, dice) => {
        let current = await processOn(place, 'one');
        const pick = <T>(items: readonly T[]): T | undefined =>
          items[Number(dice.next().value) % Math.max(1, items.length)];
        const accepted: string[] = [];
        const ended = new Map<string, string>();
        let held: ClaimedJob[] = [];
        const end = (id: string, state: string): void => {
          assert.ok(!ended.has(id), `${id} ended twice`);
          ended.set(id, state);
        };
        for (const step of steps) {
          if (step === 'submit') accepted.push(await current.submit(`account ${Number(dice.next().value) % 3}`));
          if (step === 'take') {
            const job = await current.queue.claim(MODELS);
            if (job) held.push(job);
          }
          if (step === 'end') {
            const job = pick(held);
            if (job && (await current.queue.finish(job.id, RESULT, entryOf(job)))) end(job.id, 'succeeded');
            held = held.filter((each) => each !== job);
          }
          if (step === 'put back') {
            const job = pick(held);
            if (job) await current.queue.requeue(job.id, 0);
            held = held.filter((each) => each !== job);
          }
          if (step === 'cancel') {
            const id = pick(accepted);
            const before = id && ended.get(id);
            if (id && before === undefined) {
              await cancelJob(current.storage, { id });
              end(id, 'cancelled');
            } else if (id && before === 'succeeded')
              await assert.rejects(cancelJob(current.storage, { id }), { code: 'CONFLICT' });
          }
          if (step === 'die') {
            await current.kill();
            current = await processOn(place, 'one');
            held = [];
          }
          if (step === 'take back') await current.queue.requeueOrphans(held.map(({ id }) => id));
          if (step === 'clean') await current.cleanup.run();
        }
        // Runs the remaining jobs.
        await current.queue.requeueOrphans([]);
        for (let job = await current.queue.claim(MODELS); job; job = await current.queue.claim(MODELS))
          if (await current.queue.finish(job.id, RESULT, entryOf(job))) end(job.id, 'succeeded');
        assert.deepEqual([...ended.keys()].sort(), [...accepted].sort());
        const rows = await current.storage.read.selectFrom('usage_records').select('request_id').execute();
        const billed = [...ended].filter(([, state]) => state === 'succeeded').map(([id]) => id);
        assert.deepEqual(rows.map(({ request_id }) => request_id).sort(), billed.sort());
        assert.equal((await current.storage.read.selectFrom('job_audio').select('job_id').execute()).length, 0);
        for (const table of ['jobs', 'usage_records', 'usage_daily'] as const)
          await current.storage.write.deleteFrom(table).execute();
        await current.close();
      },
    ),
    { numRuns: place.engine === 'sqlite' ? 15 : 10 },
  );
});

onBothEngines(
  'cleanup deletes incomplete uploads and expired jobs, and fails jobs that waited too long',
  async (_t, place) => {
    const one = await processOn(place, 'one');
    const [done, waiting] = [await one.submit(), await one.submit('b')];
    const job = (await one.queue.claim(MODELS))!;
    assert.equal(job.id, done);
    await one.queue.finish(job.id, RESULT, entryOf(job));
    const half = await one.intake.open(testCaller('a'));
    await half.write(Buffer.alloc(600_000));
    await one.cleanup.run();
    assert.equal((await one.storage.read.selectFrom('jobs').select('id').execute()).length, 3, 'nothing is old yet');
    await one.kill();
    const two = await processOn(place, 'one');
    await two.storage.write
      .updateTable('jobs')
      .set({ expires_at_ms: Date.now() - 1 })
      .execute();
    await two.cleanup.run();
    const left = await listJobs(two.storage, { limit: 10 });
    assert.deepEqual(
      left.map(({ id, state, error }) => [id, state, error?.code]),
      [[waiting, 'failed', 'SERVICE_UNAVAILABLE']],
    );
    assert.equal((await two.storage.read.selectFrom('job_audio').select('job_id').execute()).length, 0);
    assert.equal((await two.storage.read.selectFrom('jobs').select('id').execute()).length, 1);
    await two.close();
  },
);

onBothEngines('an upload that could not be deleted when it ended is deleted by its own server', async (_t, place) => {
  const one = await processOn(place, 'one');
  const { write, read } = one.storage;
  const [abandoned, current] = [testCaller('a'), testCaller('a')];
  const upload = await one.intake.open(abandoned);
  await upload.write(Buffer.alloc(600_000));
  const other = await one.intake.open(current);
  await other.write(Buffer.alloc(600_000));
  await sql`alter table jobs rename to jobs_elsewhere`.execute(write);
  await upload.discard();
  await sql`alter table jobs_elsewhere rename to jobs`.execute(write);
  await one.cleanup.run();
  assert.deepEqual(await read.selectFrom('jobs').select('id').execute(), [{ id: current.id }]);
  assert.deepEqual(await read.selectFrom('job_audio').select('job_id').execute(), [{ job_id: current.id }]);
  await other.discard();
  await one.close();
});
