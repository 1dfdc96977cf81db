// `npm run test:regions -- [rounds]`: two regions in network namespaces, each with PostgreSQL, NATS, a gateway and a
// worker; keys are replicated and the NATS servers joined over links of 40 ms. Needs root, PostgreSQL and NATS.
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from '#kysely';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createKey, revokeKey } from '../../src/accounts/keys/keys.ts';
import { setBudget } from '../../src/usage/budgets/budgets.ts';
import { RelayCable } from '../cluster/cable.ts';
import { FORM_TYPE } from '../http/forms.ts';
import { percentile } from '../overload/figures.ts';
import { uploadOf } from '../overload/requests.ts';
import { measureLoss } from './loss.ts';
import { JOIN_PORT, POSTGRES_PORT, Region } from './region.ts';
import { applyReplicaSql } from './replica-sql.ts';

const rounds = Number(process.argv[2] ?? 10);
const LINK = { delayMs: 40, loss: 0 };
const REVOKED_MS_MAX = 5_000;
const WAIT_MS_MAX = 60_000;
const ANSWER_MS_MAX = 10_000;
/** Each region's worker is busy for a third of the time, so that one can take over. */
const LOAD = { callers: 3, pauseMs: 300, spanMs: 20_000 };

const shown = (values: readonly number[]): string =>
  `${Math.round(percentile(values, 0.5))} ms (median of ${values.length}), ${Math.round(Math.max(...values))} ms at most`;

const until = async (what: string, holds: () => Promise<boolean>): Promise<number> => {
  const startedMs = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedMs > WAIT_MS_MAX) throw new Error(`${what}: not within ${WAIT_MS_MAX} ms`);
    await wait(20);
  }
  return performance.now() - startedMs;
};

const isAccepted = async ({ address }: Region, key: string): Promise<boolean> =>
  (await fetch(`${address}/v1/usage`, { headers: { authorization: `Token ${key}` } })).status !== 401;

const clip = uploadOf(5);
const transcribe = async ({ address }: Region, key: string): Promise<number> => {
  const headers = { authorization: `Token ${key}`, 'content-type': FORM_TYPE };
  const response = await fetch(`${address}/v1/transcribe`, {
    ...{ method: 'POST', headers, body: new Uint8Array(clip) },
    // A region without power does not even close its connections.
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  await response.arrayBuffer();
  return response.status;
};
const transcribes = async (region: Region, key: string): Promise<boolean> => (await transcribe(region, key)) === 200;

/** Replicates keys and limits from home to the other region, which notes every change (docs/internals/regions.md). */
const replicate = async (home: Region, other: Region, homeFromOther: URL): Promise<void> => {
  const tables = ['accounts', 'api_keys', 'budgets', 'vocabulary_terms'];
  await sql.raw(`create publication access for table ${tables.join(', ')}`).execute(home.storage.write);
  await applyReplicaSql(other.storage);
  const from = `host=${homeFromOther.hostname} port=${homeFromOther.port} user=postgres dbname=postgres`;
  await sql.raw(`create subscription access connection '${from}' publication access`).execute(other.storage.write);
};

const [home, other] = [new Region('home', 1), new Region('other', 2)];
const cables: RelayCable[] = [];
/** Opens a link over which a region reaches a port of another one. */
const link = async (from: Region, to: Region, port: number): Promise<URL> => {
  const cable = await RelayCable.open({ host: to.network.far, port }, LINK, Math.random, from.network.near);
  cables.push(cable);
  return new URL(cable.url);
};

try {
  await Promise.all([home.startDatabase(), other.startDatabase()]);
  await replicate(home, other, await link(other, home, POSTGRES_PORT));
  const account = await createAccount(home.storage, 'regions');
  const newKey = () => createKey(home.storage, { accountId: account.id, name: 'regions', createdBy: null });
  const [toOther, toHome] = [await link(home, other, JOIN_PORT), await link(other, home, JOIN_PORT)];
  await home.startServices('other', toOther.href, toHome.href);
  await other.startServices('home', toHome.href, toOther.href);

  const [created, revoked]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const { key, listing } = await newKey();
    created.push(await until('the new key works in the other region', () => isAccepted(other, key)));
    // The other region changes its own version meanwhile, as when a budget is used up.
    if (round % 2 === 1) await sql`update access_version set version = version + 1`.execute(other.storage.write);
    await revokeKey(home.storage, account.id, listing.id);
    revoked.push(await until('the revoked key stops in the other region', async () => !(await isAccepted(other, key))));
  }
  console.log(`A new key works in the other region after ${shown(created)}.`);
  console.log(`A revoked key stops there after ${shown(revoked)}.`);

  const { key } = await newKey();
  for (const region of [home, other]) {
    await until(`${region.name} knows both workers`, async () => (await region.gateway.ask())?.workers.length === 2);
    await until(`${region.name} transcribes`, () => transcribes(region, key));
  }
  const limited = await newKey();
  const daily = { daySeconds: 1, monthSeconds: null, warnPercent: 80, stops: true };
  await setBudget(home.storage, { accountId: account.id, keyId: limited.listing.id }, daily);
  await until('the limited key works in the other region', () => isAccepted(other, limited.key));
  await until('the other region refuses what exceeds the budget', async () => {
    return (await transcribe(other, limited.key)) === 429;
  });
  console.log('A budget set in one region is enforced in the other.');

  await home.worker.kill();
  const failover = await until('home transcribes with the other region’s worker', () => transcribes(home, key));
  console.log(`Without a worker of its own, home transcribes at the other region's after ${Math.round(failover)} ms.`);
  for (const cable of cables) cable.cut();
  const alone = await until('the other region transcribes without the link', () => transcribes(other, key));
  await until('home refuses without the link', async () => (await transcribe(home, key)) === 503);
  console.log(`With the links cut, the other region transcribes after ${Math.round(alone)} ms; home refuses with 503.`);
  await home.worker.start();
  const own = await until('home transcribes with its own worker', () => transcribes(home, key));
  console.log(`Home transcribes ${Math.round(own)} ms after its own worker is back, without the link.`);
  for (const cable of cables) cable.mend();
  const { key: late } = await newKey();
  const caughtUp = await until('a key that was made meanwhile works', () => isAccepted(other, late));
  console.log(`With the links back, a new key works in the other region after ${Math.round(caughtUp)} ms.`);

  const loss = await measureLoss({
    ...LOAD,
    home: () => transcribe(home, key),
    other: () => transcribe(other, key),
    lose: () => home.lose(),
  });
  console.log(
    `Home is lost: ${loss.cut} requests of its ${LOAD.callers} callers cut, ${loss.refused} attempts refused; the other ` +
      `region answers them after ${shown(loss.backMs)}. Its answers took ${shown(loss.beforeMs)} before, ${shown(loss.afterMs)} after.`,
  );
  if (loss.backMs.length < LOAD.callers) throw new Error('a caller of the lost region got no answer');
  process.exitCode = Math.max(...revoked) < REVOKED_MS_MAX ? 0 : 1;
} finally {
  for (const cable of cables) await cable.close();
  await home.close();
  await other.close();
}
process.exit();
