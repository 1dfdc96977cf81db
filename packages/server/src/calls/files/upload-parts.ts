// Assembles the parts of a call's upload according to the file lengths that its endpoint accepts.
import type { Principal } from '../../accounts/principal.ts';
import type { UploadDecoding } from '../../audio/upload-decoding.ts';
import type { TranscriptionSettings } from '../../transcription/settings.ts';
import type { LongFileSettings } from '../settings.ts';
import type { AcceptedFiles } from './accepted-files.ts';
import type { UploadParts } from './upload.ts';

/** A long file may wait this much longer for its first samples. */
const LONG_START_MS = 60_000;

export interface UploadSources extends Pick<UploadParts, 'admission' | 'memory'> {
  readonly decoding: Pick<UploadDecoding, 'open'>;
  readonly config: Pick<TranscriptionSettings, 'recognitionTimeoutMs'> & Pick<LongFileSettings, 'longFileSeconds'>;
}

export const uploadParts = (
  { admission, memory, decoding, config }: UploadSources,
  { accountId: owner, limits }: Pick<Principal, 'accountId' | 'limits'>,
  { formats, lengths }: AcceptedFiles,
): UploadParts => {
  const isLong = lengths === 'long';
  const ownSeconds = limits.maxDurationSeconds;
  const maxDurationSeconds = isLong ? Math.max(config.longFileSeconds, ownSeconds) : ownSeconds;
  const audio = { maxDurationSeconds, formats, owner };
  return {
    admission,
    memory,
    openDecoder: (channel) => decoding.open({ ...audio, channel }),
    openMeasure: () => decoding.open({ ...audio, measure: 'length' }),
    stuckAfterMs: (seconds) => config.recognitionTimeoutMs + (isLong ? LONG_START_MS + seconds * 1000 : 0),
  };
};
