// The three model identifiers.
import { z } from 'zod';

export const MODEL_IDS = ['svc-1.0-lite', 'svc-1.0-pro', 'svc-1.0-max'] as const;

export const modelId = z.enum(MODEL_IDS).meta({
  id: 'ModelId',
  description:
    'lite: lowest cost, for batch work. pro: balanced. max: most accurate and fastest; the recommended default.',
});
export type ModelId = z.infer<typeof modelId>;

export const isModelId = (value: unknown): value is ModelId => modelId.safeParse(value).success;
