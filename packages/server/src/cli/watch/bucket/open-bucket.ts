// Opens buckets as sources of recordings and as outputs for transcripts.
import type { RecordingSource, TranscriptOutput } from '../ports.ts';
import { openBucket } from './bucket.ts';
import { RecordingBucket } from './recording-bucket.ts';
import { TranscriptBucket } from './transcript-bucket.ts';

export const openRecordings = (address: string, endpoint: string | undefined): RecordingSource =>
  new RecordingBucket(openBucket(address, endpoint));

export const openTranscripts = (address: string, endpoint: string | undefined): TranscriptOutput =>
  new TranscriptBucket(openBucket(address, endpoint));
