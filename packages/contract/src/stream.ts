// Stream mode: handshake parameters, messages and close codes.
import { z } from 'zod';
import { SPEAKERS_MAX } from './detail.ts';
import { errorResponse } from './errors.ts';
import { LIMITS } from './limits.ts';
import { modelId } from './models.ts';
import { refineLevel } from './refinement.ts';
import { successResponse } from './result.ts';

const integerText = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().int().min(min, `must be from ${min} to ${max}`).max(max, `must be from ${min} to ${max}`));

export const streamParameters = z
  .object({
    model: modelId,
    sample_rate: integerText(LIMITS.sampleRateHzMin, LIMITS.sampleRateHzMax).default(LIMITS.sampleRateHzDefault),
    channels: integerText(1, LIMITS.channelsMax).default(LIMITS.channelsDefault),
    encoding: z.literal('pcm16', 'must be pcm16').default('pcm16'),
    language: z.string().optional(),
    include: z.string().optional(),
    refine: refineLevel.optional(),
    speakers: z.enum(['true', 'false'], 'must be true or false').optional(),
    num_speakers: integerText(1, SPEAKERS_MAX).optional(),
    min_speakers: integerText(1, SPEAKERS_MAX).optional(),
    max_speakers: integerText(1, SPEAKERS_MAX).optional(),
    known_voices: z.enum(['true', 'false'], 'must be true or false').optional(),
    channel_names: z.string().optional(),
  })
  .meta({ id: 'StreamParameters' });
export type StreamParameters = z.infer<typeof streamParameters>;

export const keepAliveMessage = z.object({ type: z.literal('keep_alive') }).meta({ id: 'KeepAlive' });
export const closeStreamMessage = z.object({ type: z.literal('close_stream') }).meta({ id: 'CloseStream' });
export const clientMessage = z.discriminatedUnion('type', [keepAliveMessage, closeStreamMessage]);
export type ClientMessage = z.infer<typeof clientMessage>;

export const resultMessage = successResponse.extend({ type: z.literal('result') }).meta({ id: 'ResultMessage' });
export type ResultMessage = z.infer<typeof resultMessage>;

export const errorMessage = errorResponse.extend({ type: z.literal('error') }).meta({ id: 'ErrorMessage' });
export type ErrorMessage = z.infer<typeof errorMessage>;

export const serverMessage = z.discriminatedUnion('type', [resultMessage, errorMessage]);
export type ServerMessage = z.infer<typeof serverMessage>;

export const CLOSE_CODES = {
  done: 1000,
  badMessage: 1007,
  policy: 1008,
  frameTooBig: 1009,
  internal: 1011,
  restart: 1012,
} as const;
