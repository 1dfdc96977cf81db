// Prices that the operator set.
import { z } from 'zod';
import { modelId } from '../models.ts';

/** The price of an hour of billed audio. Costs are computed for display and never stored. */
export const prices = z.object({
  /** ISO 4217, such as EUR. */
  currency: z.string(),
  per_hour: z.partialRecord(modelId, z.number()),
});
export type Prices = z.infer<typeof prices>;
