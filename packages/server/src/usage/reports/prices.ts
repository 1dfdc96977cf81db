// What billed audio costs, where the operator set a price. The ledger holds seconds only.
import type { ModelId, Prices } from '@faircopy/contract';

const HOUR_SECONDS = 3_600;

/** Null without a price. */
export const costOf = (prices: Prices | null, model: string | null, billedSeconds: number): number | null =>
  prices && ((prices.per_hour[model as ModelId] ?? 0) * billedSeconds) / HOUR_SECONDS;
