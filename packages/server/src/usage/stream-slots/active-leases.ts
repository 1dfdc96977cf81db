// Which leases hold now, by the database's clock.
import { type RawBuilder, sql } from 'kysely';
import { databaseNowMs, type Engine } from '../../storage/engine.ts';

/** No lease is given for longer. One that ends later was written before the clock was set back, and its word is worth nothing. */
const LEASE_MS_MAX = 60_000;

export const isHeld = (engine: Engine): RawBuilder<boolean> => {
  const nowMs = databaseNowMs(engine);
  return sql<boolean>`(stream_leases.expires_at_ms > ${nowMs} and stream_leases.expires_at_ms <= ${nowMs} + ${sql.lit(LEASE_MS_MAX)})`;
};
