// OpenAI's model names and the tiers that serve them.
import type { ModelAlias } from '../../calls/model-names.ts';

export const OPENAI_MODELS: readonly ModelAlias[] = [
  ['whisper-1', 'svc-1.0-max'],
  ['gpt-4o-mini-transcribe*', 'svc-1.0-pro'],
  ['gpt-4o-transcribe', 'svc-1.0-max'],
  ['gpt-4o-transcribe-diarize', 'svc-1.0-max'],
  ['gpt-transcribe', 'svc-1.0-max'],
  ['gpt-live-transcribe', 'svc-1.0-max'],
  ['gpt-realtime-whisper', 'svc-1.0-max'],
];
