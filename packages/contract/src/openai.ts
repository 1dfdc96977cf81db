// The answers of the OpenAI-compatible endpoints.
import { z } from 'zod';

export const openAiError = z
  .object({
    error: z.object({
      message: z.string().meta({ description: 'A message for people; its wording may change.' }),
      type: z.enum(['invalid_request_error', 'rate_limit_error', 'server_error']),
      param: z.string().nullable().meta({ description: 'The form part that is invalid.' }),
      code: z.string().nullable(),
    }),
  })
  .meta({
    id: 'OpenAiError',
    examples: [
      {
        error: {
          message: 'The part "model" is missing.',
          type: 'invalid_request_error',
          param: 'model',
          code: null,
        },
      },
    ],
  });
export type OpenAiError = z.infer<typeof openAiError>;

const durationUsage = z.object({
  type: z.literal('duration'),
  seconds: z.number().meta({ description: 'The duration of the audio.' }),
});

export const openAiTranscription = z
  .object({
    text: z.string(),
    languages: z.array(z.object({ code: z.string() })).optional(),
    logprobs: z
      .array(z.object({ token: z.string(), logprob: z.number(), bytes: z.array(z.number().int()) }))
      .optional()
      .meta({ description: 'One entry per word, including the space before it.' }),
    usage: durationUsage,
  })
  .meta({ id: 'OpenAiTranscription' });

export const openAiSegment = z
  .object({
    id: z.number().int(),
    seek: z.number().int().meta({ description: 'The start in hundredths of a second.' }),
    start: z.number(),
    end: z.number(),
    text: z.string(),
    tokens: z.array(z.number().int()).meta({ description: 'Always empty: refined text has no recognition tokens.' }),
    temperature: z.number(),
    avg_logprob: z.number(),
    compression_ratio: z.number(),
    no_speech_prob: z.number(),
  })
  .meta({ id: 'OpenAiSegment', description: 'A sentence or part of one.' });

export const openAiVerboseTranscription = z
  .object({
    task: z.enum(['transcribe', 'translate']),
    language: z.string().meta({ description: 'The English name in lower case, or `unknown`.' }),
    duration: z.number(),
    text: z.string(),
    words: z.array(z.object({ word: z.string(), start: z.number(), end: z.number() })).optional(),
    segments: z.array(openAiSegment).optional(),
    usage: durationUsage,
  })
  .meta({ id: 'OpenAiVerboseTranscription' });

export const openAiDiarizedSegment = z
  .object({
    type: z.literal('transcript.text.segment'),
    id: z.string(),
    start: z.number(),
    end: z.number(),
    text: z.string(),
    speaker: z.string().meta({ description: 'A known name, or A, B, … in the order in which people are first heard.' }),
  })
  .meta({ id: 'OpenAiDiarizedSegment', description: 'What one person says. With `stream=true`, an event.' });

export const openAiDiarizedTranscription = z
  .object({
    task: z.literal('transcribe'),
    duration: z.number(),
    text: z.string(),
    segments: z.array(openAiDiarizedSegment),
    usage: durationUsage,
  })
  .meta({ id: 'OpenAiDiarizedTranscription' });

export const openAiTextDelta = z
  .object({ type: z.literal('transcript.text.delta'), delta: z.string() })
  .meta({ id: 'OpenAiTextDelta', description: 'Text to append. It never changes afterwards.' });

export const openAiTextDone = z
  .object({
    type: z.literal('transcript.text.done'),
    text: z.string(),
    languages: z.array(z.object({ code: z.string() })).optional(),
    usage: z.object({
      type: z.literal('tokens'),
      input_tokens: z.number().int(),
      input_token_details: z.object({ text_tokens: z.number().int(), audio_tokens: z.number().int() }),
      output_tokens: z.number().int(),
      total_tokens: z.number().int(),
    }),
  })
  .meta({ id: 'OpenAiTextDone' });

export const openAiModel = z
  .object({ id: z.string(), object: z.literal('model'), created: z.number().int(), owned_by: z.string() })
  .meta({ id: 'OpenAiModel' });

export const openAiModelList = z
  .object({ object: z.literal('list'), data: z.array(openAiModel) })
  .meta({ id: 'OpenAiModelList' });
