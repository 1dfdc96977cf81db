import assert from 'node:assert/strict';
import test from 'node:test';
import type { RecordingTranscriber } from '../client/recording-transcriber.ts';
import type { TranscriptRecord } from '../client/transcript-log.ts';
import type { FoundRecording, RecordingSource, TranscriptOutput } from './ports.ts';
import { transcribeRecording } from './transcribe-recording.ts';
import { TranscriptIndex } from './transcript-index.ts';

const SHA = 'a'.repeat(64);

const foundAt = (name: string): FoundRecording => ({
  name,
  address: `/in/${name}`,
  version: '1',
  bytes: 4,
  modifiedMs: 1,
});

/** Transcribes a recording with the content of one that was transcribed before and is in the last listing. */
const transcribeCopyOf = async (earlier: FoundRecording, isStillThere: boolean) => {
  const { address: recording, bytes, modifiedMs } = earlier;
  const output = 'earlier.txt';
  const known: TranscriptRecord = { output, recording, bytes, modified_ms: modifiedMs, sha256: SHA, state: 'written' };
  const written: string[] = [];
  const source = {
    open: async () => ({ audio: new Blob(['RIFF']), sha256: SHA, release: async () => {} }),
    isUnchanged: async () => true,
    exists: async (address: string) => address !== recording || isStillThere,
  } as unknown as RecordingSource;
  const transcripts = {
    record: async () => {},
    exists: async () => false,
    write: async (name: string) => void written.push(name),
  } as unknown as TranscriptOutput;
  const answer = { result: { transcript: 'Hello.' } };
  const { signal } = new AbortController();
  const result = await transcribeRecording(foundAt('later.wav'), {
    source,
    output: transcripts,
    index: new TranscriptIndex([known]),
    transcriber: { transcribe: async () => answer } as unknown as RecordingTranscriber,
    request: {} as never,
    format: 'txt',
    isPresent: () => true,
    signal,
    leave: signal,
  });
  return { kind: result.kind, written };
};

test('a copy of a recording gets its own transcript', async () => {
  assert.deepEqual(await transcribeCopyOf(foundAt('earlier.wav'), true), { kind: 'written', written: ['later.txt'] });
});

test('a recording that was renamed while it was listed keeps its transcript', async () => {
  assert.deepEqual(await transcribeCopyOf(foundAt('earlier.wav'), false), { kind: 'renamed', written: [] });
});
