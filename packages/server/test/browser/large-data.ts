// Fills an account with a year of usage and values that are hard to display, for tests and screenshots.
import { createAccount, renameAccount } from '../../src/accounts/accounts.ts';
import { closeAccount } from '../../src/accounts/close-account.ts';
import { createKey, revokeKey } from '../../src/accounts/keys/keys.ts';
import { booleanFor, timeFor } from '../../src/accounts/people/engine-values.ts';
import { createInvitation } from '../../src/accounts/people/invitations.ts';
import { setMembership } from '../../src/accounts/people/members.ts';
import { setVocabulary } from '../../src/accounts/vocabulary/vocabulary.ts';
import { submitJob } from '../../src/jobs/testing/submit.ts';
import type { Storage } from '../../src/storage/open.ts';
import { PLAYGROUND_CREATOR } from '../../src/storage/playground-keys.ts';
import { setBudget } from '../../src/usage/budgets/budgets.ts';
import { LedgerMeter } from '../../src/usage/ledger/ledger-meter.ts';
import type { UsageEntry } from '../../src/usage/meter.ts';
import { entry } from '../../src/usage/testing/entries.ts';

/** Markup, a right-to-left override and an emoji. */
export const HOSTILE = '<img src=x onerror="alert(1)"> ‮evil‬ 🎙';
const DAY_MS = 24 * 60 * 60 * 1000;
/** Yesterday at 22:48 UTC, one of the widest times in tables. */
const lastEvening = (): number => Math.floor(Date.now() / DAY_MS) * DAY_MS - 72 * 60_000;

const NAMES = [
  HOSTILE,
  'voicemail worker',
  'مركز الاتصال',
  'A key name that someone has typed without thinking about how long it becomes in a table with other columns',
  'laptop',
  'staging',
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  '🎧🎧🎧',
];

const FAILURES: readonly Partial<UsageEntry>[] = [
  { status: 'AUDIO_TOO_LONG', errorMessage: 'It has 301 seconds; 300 are allowed.' },
  { status: 'AUDIO_FORMAT_UNSUPPORTED' },
  { status: 'CONCURRENT_LIMIT_EXCEEDED' },
  { status: 'SERVICE_UNAVAILABLE' },
  { status: 'CLIENT_DISCONNECTED', mode: 'stream' },
  { status: 'BUDGET_EXCEEDED' },
];

const addKeys = async (storage: Storage, accountId: string): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < 12; n++) {
    const name = n < NAMES.length ? NAMES[n]! : `worker ${n}`;
    const { listing } = await createKey(storage, {
      accountId,
      name,
      createdBy: null,
      ...(n % 5 === 4 ? { expiresAtMs: Date.now() + n * DAY_MS } : {}),
    });
    ids.push(listing.id);
    if (n % 7 === 6) await revokeKey(storage, accountId, listing.id);
  }
  const { listing } = await createKey(storage, { accountId, name: 'Playground', createdBy: PLAYGROUND_CREATOR });
  return [...ids, listing.id];
};

/** Requests on most days of a year: fewer at weekends, more in the last month. */
const useForAYear = async (storage: Storage, accountId: string, keys: readonly string[]): Promise<void> => {
  const meter = new LedgerMeter(storage);
  let n = 0;
  for (let ago = 364; ago >= 0; ago--) {
    const perDay = ago % 7 < 2 ? ago % 2 : 1 + (ago % 3) + (ago < 30 ? 2 : 0);
    for (let at = 0; at < perDay; at++, n++) {
      const failure = n % 9 === 8 ? FAILURES[Math.floor(n / 9) % FAILURES.length]! : {};
      const audioSeconds = ((n * 7919) % 299_990) / 1000;
      await meter.record(
        entry({
          accountId,
          keyId: keys[(n * 7) % keys.length]!,
          audioSeconds,
          billedSeconds: 'status' in failure ? 0 : Math.max(15, audioSeconds),
          mode: n % 4 === 3 ? 'stream' : 'file',
          model: (['svc-1.0-max', 'svc-1.0-pro', 'svc-1.0-lite'] as const)[n % 3]!,
          queueMs: n % 500,
          refinementFallback: n % 50 === 0 ? 'timeout' : null,
          createdAtMs: lastEvening() - ago * DAY_MS - at * 60_000,
          ...failure,
        }),
      );
    }
  }
  await meter.close();
};

const JOB_ENDS = [
  { state: 'waiting' },
  { state: 'running', webhook_state: 'waiting' },
  { state: 'succeeded', webhook_state: 'delivered', webhook_attempts: 1 },
  { state: 'succeeded', webhook_state: 'due', webhook_attempts: 3, webhook_fault: 'The receiver answered 500.' },
  { state: 'succeeded', webhook_state: 'failed', webhook_attempts: 12, webhook_fault: 'The name cannot be resolved.' },
  { state: 'failed', error_code: 'AUDIO_FORMAT_UNSUPPORTED', error_message: 'This is no audio that can be decoded.' },
  { state: 'failed', error_code: 'AUDIO_TOO_LONG', error_message: 'It has 14401 seconds; 14400 are allowed.' },
  { state: 'cancelled' },
  { state: 'succeeded' },
] as const;

/** Sixty jobs, in all states. */
export const addJobs = async (storage: Storage, accountId: string): Promise<void> => {
  const ids: string[] = [];
  for (let n = 0; n < 60; n++) ids.push(await submitJob(storage, accountId));
  for (const [n, id] of ids.entries()) {
    const end = JOB_ENDS[n % JOB_ENDS.length]!;
    const createdAtMs = lastEvening() - (60 - n) * 3_600_000;
    const isOver = end.state !== 'waiting' && end.state !== 'running';
    await storage.write
      .updateTable('jobs')
      .set({
        ...end,
        created_at_ms: createdAtMs,
        audio_bytes: 50_000 + n * n * 100_000,
        started_at_ms: end.state === 'waiting' ? null : createdAtMs + 60_000,
        ended_at_ms: isOver ? createdAtMs + 400_000 : null,
        // Not due, so that no runner changes them during the test.
        due_at_ms: Date.now() + DAY_MS,
        holder_id: null,
      })
      .where('id', '=', id)
      .execute();
  }
};

const addPeople = async (storage: Storage, accountId: string): Promise<void> => {
  const now = timeFor(storage.engine);
  const names = [
    'Bo',
    HOSTILE,
    'مريم',
    'Maximiliane Charlotte Wilhelmine von und zu Hohenlohe-Langenburg',
    '山田 太郎',
  ];
  for (const [n, name] of names.entries()) {
    const personId = crypto.randomUUID();
    const email = n === 3 ? `${'very-long-local-part-'.repeat(2)}@mail.department.example.org` : `p${n}@example.org`;
    await storage.write.transaction().execute(async (trx) => {
      await trx
        .insertInto('people')
        .values({
          id: personId,
          name,
          email,
          image: null,
          created_at: now,
          updated_at: now,
          email_verified: booleanFor(storage.engine, true),
          is_administrator: booleanFor(storage.engine, n === 2),
        })
        .execute();
      await setMembership(trx, { accountId, personId, role: n % 2 === 0 ? 'owner' : 'member' });
    });
  }
  for (const email of ['someone@example.org', null])
    await createInvitation(storage, { accountId, role: 'member', email });
};

const addVocabulary = async (storage: Storage, accountId: string): Promise<void> => {
  const terms = [HOSTILE, 'Faircopy', 'Lovelace', 'Donaudampfschifffahrtsgesellschaftskapitän', 'شركة'];
  await setVocabulary(storage, accountId, [...terms, ...Array.from({ length: 60 }, (_, n) => `Term ${n}`)]);
  const day = new Date().toISOString().slice(0, 10);
  for (const [n, term] of terms.entries())
    await storage.write
      .insertInto('vocabulary_uses')
      .values({ account_id: accountId, term, day, written: 1 + n * 211, mended: n })
      .execute();
};

/** Three budgets: open, warning and refusing. */
const addBudgets = async (storage: Storage, accountId: string, keys: readonly string[]): Promise<void> => {
  const meter = new LedgerMeter(storage);
  for (const [keyId, billedSeconds] of [
    [keys[0]!, 600],
    [keys[3]!, 3_300],
  ] as const)
    await meter.record(
      entry({ accountId, keyId, audioSeconds: billedSeconds, billedSeconds, createdAtMs: Date.now() }),
    );
  await meter.close();
  const set = (keyId: string | null, daySeconds: number | null, monthSeconds: number | null) =>
    setBudget(storage, { accountId, keyId }, { warnPercent: 80, stops: keyId !== null, daySeconds, monthSeconds });
  await set(null, 36_000, 900_000);
  await set(keys[0]!, 300, null);
  await set(keys[3]!, 3_600, 90_000);
};

/** Fills the account, renames it to the most difficult name, and adds other accounts. */
export const fillWithLargeData = async (storage: Storage, account: { id: string; name: string }): Promise<void> => {
  const keys = await addKeys(storage, account.id);
  await useForAYear(storage, account.id, keys);
  await addJobs(storage, account.id);
  await addPeople(storage, account.id);
  await addVocabulary(storage, account.id);
  await addBudgets(storage, account.id, keys);
  for (const name of [
    'second <i>',
    'acme',
    'closed long ago',
    ...Array.from({ length: 20 }, (_, n) => `customer ${n}`),
  ]) {
    const { id } = await createAccount(storage, name);
    if (name === 'closed long ago') await closeAccount(storage, id);
  }
  await renameAccount(storage, account.id, { name: HOSTILE, before: account.name });
};

/** A week of a small team. */
export const fillWithSomeData = async (storage: Storage, accountId: string): Promise<void> => {
  const keys = await Promise.all(
    ['voicemail worker', 'laptop'].map((name) => createKey(storage, { accountId, name, createdBy: 'ada@example.org' })),
  );
  const meter = new LedgerMeter(storage);
  for (let n = 0; n < 12; n++)
    await meter.record(
      entry({
        accountId,
        keyId: keys[n % 2]!.listing.id,
        audioSeconds: 30 + n * 41.5,
        billedSeconds: n === 5 ? 0 : 30 + n * 42,
        model: n % 3 === 0 ? 'svc-1.0-lite' : 'svc-1.0-max',
        createdAtMs: lastEvening() - n * (DAY_MS / 2),
        ...(n === 5 ? FAILURES[0] : {}),
      }),
    );
  await meter.close();
  await setVocabulary(storage, accountId, ['Faircopy', 'Lovelace', 'Hopper']);
};
