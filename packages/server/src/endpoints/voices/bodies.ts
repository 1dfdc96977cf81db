// Renders voices and audit entries in the format of the API.
import type { VoiceEventObject, VoiceObject } from '@faircopy/contract';
import type { VoiceAuditEntry } from '../../accounts/voices/voice-audit.ts';
import type { VoiceListing } from '../../accounts/voices/voice-prints.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

export const voiceObject = (voice: VoiceListing): VoiceObject => ({
  id: voice.id,
  name: voice.name,
  speech_seconds: voice.speechSeconds,
  model: voice.model,
  created_at: iso(voice.createdAtMs),
  created_by: voice.createdBy,
});

export const eventObject = (event: VoiceAuditEntry): VoiceEventObject => ({
  id: event.id,
  at: iso(event.atMs),
  action: event.action,
  voice_id: event.voiceId,
  voices: event.voices,
  by: event.actor,
  request_id: event.requestId,
});
