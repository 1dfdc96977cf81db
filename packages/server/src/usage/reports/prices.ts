// Computes the cost of billed audio if the operator has set prices. The ledger holds only seconds.
import type { ModelId, Prices } from '@faircopy/contract';

const HOUR_SECONDS = 3_600;

/** Null without prices; 0 for a model without a price. */
export const costOf = (prices: Prices | null, model: string | null, billedSeconds: number): number | null =>
  prices && ((prices.per_hour[model as ModelId] ?? 0) * billedSeconds) / HOUR_SECONDS;
