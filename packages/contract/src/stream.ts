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

const numberText = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d(\.\d{1,6})?$/, 'must be a number')
    .transform(Number)
    .pipe(z.number().min(min, `must be from ${min} to ${max}`).max(max, `must be from ${min} to ${max}`));

export const streamParameters = z
  .object({
    model: modelId,
    sample_rate: integerText(LIMITS.sampleRateHzMin, LIMITS.sampleRateHzMax).default(LIMITS.sampleRateHzDefault),
    channels: integerText(1, LIMITS.channelsMax).default(LIMITS.channelsDefault),
    encoding: z.literal('pcm16', 'must be pcm16').default('pcm16'),
    language: z.string().optional(),
    include: z.string().optional(),
    refine: refineLevel.optional(),
    profanity_filter: z.enum(['true', 'false'], 'must be true or false').optional(),
    speakers: z.enum(['true', 'false'], 'must be true or false').optional(),
    num_speakers: integerText(1, SPEAKERS_MAX).optional(),
    min_speakers: integerText(1, SPEAKERS_MAX).optional(),
    max_speakers: integerText(1, SPEAKERS_MAX).optional(),
    known_voices: z.enum(['true', 'false'], 'must be true or false').optional(),
    channel_names: z.string().optional(),
    turns: z.enum(['true', 'false'], 'must be true or false').optional(),
    turn_threshold: numberText(0.5, 0.99).optional(),
    turn_eager_threshold: numberText(0.3, 0.99).optional(),
    turn_timeout_ms: integerText(500, 10_000).optional(),
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

/** Sent only on streams with `turns=true`. */
export const turnMessage = z
  .object({
    type: z.literal('turn'),
    event: z.enum(['started', 'updated', 'probably_ended', 'resumed', 'ended']),
    index: z.number().int().min(0),
    start_seconds: z.number(),
    end_seconds: z.number(),
    transcript: z.string(),
    end_probability: z.number().min(0).max(1),
  })
  .meta({ id: 'TurnMessage' });
export type TurnMessage = z.infer<typeof turnMessage>;

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
