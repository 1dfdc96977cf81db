// The refinement level of a request. An extension of the contract.
import { z } from 'zod';

/** none: the recognised text. light: fillers, stutters and window joins. standard: everything; the default. */
export const REFINE_LEVELS = ['none', 'light', 'standard'] as const;
export type RefineLevel = (typeof REFINE_LEVELS)[number];

export const refineLevel = z.enum(REFINE_LEVELS, `must be one of ${REFINE_LEVELS.join(', ')}`);

export const isRefineLevel = (value: unknown): value is RefineLevel => refineLevel.safeParse(value).success;
