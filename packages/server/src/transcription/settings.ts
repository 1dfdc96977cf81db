// Settings of transcription: timeouts of its stages, and how long a request may wait.
import { LIMITS } from '@faircopy/contract';
import { declareSettings, type SettingValues, setting } from '../config/setting.ts';
import { milliseconds } from '../config/values.ts';

export const transcriptionSettings = declareSettings({
  topic: 'Limits and time-outs',
  settings: {
    recognitionTimeoutMs: setting(
      'FAIRCOPY_RECOGNITION_TIMEOUT_MS',
      milliseconds(LIMITS.recognitionTimeoutMs),
      'Time-out of the recognition stage.',
    ),
    refinementTimeoutMs: setting(
      'FAIRCOPY_REFINEMENT_TIMEOUT_MS',
      milliseconds(LIMITS.refinementTimeoutMs),
      'Time-out of the refinement stage.',
    ),
    maxWaitMs: setting(
      'FAIRCOPY_MAX_WAIT_MS',
      milliseconds(1_500),
      'Longest expected wait for a recogniser while other accounts keep the server busy; past it, requests get 503 with Retry-After.',
    ),
  },
});

export type TranscriptionSettings = SettingValues<typeof transcriptionSettings>;
