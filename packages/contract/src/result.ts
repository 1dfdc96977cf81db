// The schema of successful answers, in file mode and in stream mode.
import { z } from 'zod';
import { detail } from './detail.ts';
import { LIMITS } from './limits.ts';
import { requestId } from './values/ids.ts';

export const languageCode = z
  .string()
  .regex(/^[a-z]{2}$/)
  .meta({ id: 'LanguageCode', description: 'ISO 639-1.' });

export const transcriptionResult = z
  .object({
    transcript: z.string().meta({ description: 'The refined transcript.' }),
    detected_language: languageCode
      .nullable()
      .meta({ description: 'The detected language; null when detection is inconclusive.' }),
    duration_seconds: z.number().nonnegative().meta({ description: 'The duration of the audio.' }),
  })
  .meta({ id: 'TranscriptionResult' });
export type TranscriptionResult = z.infer<typeof transcriptionResult>;

export const usage = z
  .object({
    billed_audio_seconds: z
      .number()
      .min(LIMITS.billedSecondsMin)
      .meta({ description: `Seconds billed: whole seconds, at least ${LIMITS.billedSecondsMin}.` }),
    output_token_count: z.number().int().nonnegative().meta({ description: 'Tokens in the transcript (o200k).' }),
  })
  .meta({ id: 'Usage' });

export const successResponse = z
  .object({
    status: z.literal('success'),
    result: transcriptionResult,
    usage,
    request_id: requestId,
    detail: detail
      .optional()
      .meta({ description: 'Only with `include` or `speakers`, or when the effort was reduced. An extension.' }),
  })
  .meta({
    id: 'SuccessResponse',
    examples: [
      {
        status: 'success',
        result: {
          transcript: 'Please move the meeting to Wednesday at 3 p.m.',
          detected_language: 'en',
          duration_seconds: 4.38,
        },
        usage: { billed_audio_seconds: 15, output_token_count: 12 },
        request_id: '01K9ZQ5W0Q4T9Y6X2V8B3N7M1C',
      },
    ],
  });
export type SuccessResponse = z.infer<typeof successResponse>;
