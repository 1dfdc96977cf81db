// Known voices: the voices that an account has enrolled, so that transcripts can name their speakers.
import { z } from 'zod';
import { isoTime, requestId } from './values/ids.ts';

/** Limits of enrolment. */
export const VOICE_LIMITS = {
  speechSecondsMin: 8,
  /** Speech after this is not used. */
  speechSecondsMax: 30,
  audioSecondsMax: 60,
  fileBytesMax: 24 * 1024 * 1024,
  nameCharactersMax: 100,
  voicesMax: 200,
} as const;

export const voiceObject = z
  .object({
    id: requestId,
    name: z.string(),
    speech_seconds: z.number().meta({ description: 'Seconds of speech that the print was made from.' }),
    model: z.string().meta({ description: 'The embedding model. Prints of another model are not compared.' }),
    created_at: isoTime.meta({ description: 'When consent was confirmed and the print was made.' }),
    created_by: z.string().meta({ description: 'The id of the API key.' }),
  })
  .meta({ id: 'Voice' });
export type VoiceObject = z.infer<typeof voiceObject>;

export const voiceEvent = z
  .object({
    id: requestId,
    at: isoTime,
    action: z.enum(['enrolled', 'compared', 'named', 'exported', 'deleted']),
    voice_id: requestId.nullable().meta({ description: 'Null: all voices of the account.' }),
    voices: z.number().int().meta({ description: 'How many voices the entry is about.' }),
    by: z.string().meta({ description: 'The id of the API key, or another origin such as `command line`.' }),
    request_id: requestId.nullable(),
  })
  .meta({ id: 'VoiceEvent' });
export type VoiceEventObject = z.infer<typeof voiceEvent>;

const success = { status: z.literal('success'), request_id: requestId };

export const voiceResponse = z.object({ ...success, voice: voiceObject }).meta({ id: 'VoiceResponse' });
export type VoiceResponse = z.infer<typeof voiceResponse>;

export const voiceListResponse = z
  .object({ ...success, voices: z.array(voiceObject), voices_max: z.number().int() })
  .meta({ id: 'VoiceListResponse' });
export type VoiceListResponse = z.infer<typeof voiceListResponse>;

export const voiceExportResponse = z
  .object({
    ...success,
    voice: voiceObject,
    print: z.object({
      model: z.string(),
      band: z.enum(['wide', 'telephone']),
      embedding: z.array(z.number()),
    }),
    history: z.array(voiceEvent).meta({ description: 'The newest entries about this voice, newest first.' }),
  })
  .meta({ id: 'VoiceExportResponse' });
export type VoiceExportResponse = z.infer<typeof voiceExportResponse>;

export const voiceDeletedResponse = z.object({ ...success, deleted: requestId }).meta({ id: 'VoiceDeletedResponse' });
export type VoiceDeletedResponse = z.infer<typeof voiceDeletedResponse>;

export const voiceAuditResponse = z
  .object({
    ...success,
    entries: z.array(voiceEvent),
    next_before: z.string().nullable().meta({ description: 'The parameter `before` of the next page.' }),
  })
  .meta({ id: 'VoiceAuditResponse' });
export type VoiceAuditResponse = z.infer<typeof voiceAuditResponse>;
