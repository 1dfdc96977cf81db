// Opens the place to watch and the place for transcripts: folders by path, buckets by s3:// address.
import { RecordingFolder } from './folder/recording-folder.ts';
import { TranscriptFolder } from './folder/transcript-folder.ts';
import type { RecordingSource, TranscriptOutput } from './ports.ts';

const isBucket = (place: string): boolean => place.startsWith('s3://');

export const openPlaces = async (
  from: string,
  to: string,
  endpoint: string | undefined,
): Promise<{ source: RecordingSource; output: TranscriptOutput }> => {
  // Suppresses the AWS client's notice on standard error that future versions will need a newer Node.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const buckets = isBucket(from) || isBucket(to) ? await import('./bucket/open-bucket.ts') : null;
  return {
    source: buckets && isBucket(from) ? await buckets.openRecordings(from, endpoint) : new RecordingFolder(from),
    output: buckets && isBucket(to) ? await buckets.openTranscripts(to, endpoint) : new TranscriptFolder(to),
  };
};
