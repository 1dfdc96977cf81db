// The three model identifiers, and what each is for.
import { z } from 'zod';

export const MODEL_IDS = ['svc-1.0-lite', 'svc-1.0-pro', 'svc-1.0-max'] as const;

export const modelId = z.enum(MODEL_IDS).meta({
  id: 'ModelId',
  description:
    'lite: lowest cost, for batches. pro: balanced. max: most accurate and first in line; the recommended default.',
});
export type ModelId = z.infer<typeof modelId>;

export const isModelId = (value: unknown): value is ModelId => modelId.safeParse(value).success;
