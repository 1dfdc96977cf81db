// Counts an account's open streams on all nodes.
import { type RawBuilder, sql } from '#kysely';
import { databaseNowMs, type Engine } from '../../storage/engine.ts';
import type { Storage } from '../../storage/open.ts';

/** A lease that expires later than this was written before the clock was set back, and is ignored. */
const STREAM_LEASE_MS_MAX = 60_000;

export const isActiveLease = (engine: Engine): RawBuilder<boolean> => {
  const nowMs = databaseNowMs(engine);
  return sql<boolean>`(stream_leases.expires_at_ms > ${nowMs} and stream_leases.expires_at_ms <= ${nowMs} + ${sql.lit(STREAM_LEASE_MS_MAX)})`;
};

export const openStreams = async (storage: Storage, accountId: string): Promise<number> => {
  const { open } = await storage.read
    .selectFrom('stream_leases')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('account_id', '=', accountId)
    .where(isActiveLease(storage.engine))
    .executeTakeFirstOrThrow();
  return open;
};
