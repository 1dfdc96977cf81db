// Transcribes one recording of a watcher, unless its content is already known. Its transcript is written atomically.
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { SuccessResponse } from '@faircopy/contract';
import { BUILD } from '../../lib/process/version.ts';
import type { RecordingRequest } from '../client/recording-options.ts';
import type { RecordingTranscriber } from '../client/recording-transcriber.ts';
import { formatAnswer, type TranscriptFormat } from '../client/transcript-format.ts';
import type { TranscriptRecord } from '../client/transcript-log.ts';
import {
  type FoundRecording,
  type OpenedRecording,
  RecordingChanged,
  type RecordingSource,
  type TranscriptOutput,
} from './ports.ts';
import type { TranscriptIndex } from './transcript-index.ts';

export interface RecordingWork {
  readonly source: RecordingSource;
  readonly output: TranscriptOutput;
  readonly index: TranscriptIndex;
  readonly transcriber: RecordingTranscriber;
  readonly request: RecordingRequest;
  readonly format: TranscriptFormat;
  /** Whether the last listing has a recording at this address. */
  readonly isPresent: (address: string) => boolean;
  /** Aborts everything. */
  readonly signal: AbortSignal;
  /** Aborts waiting for jobs, which continue on the server. */
  readonly leave: AbortSignal;
}

export type Result =
  | { readonly kind: 'known' }
  | { readonly kind: 'renamed'; readonly output: string }
  | { readonly kind: 'written'; readonly output: string; readonly answer: SuccessResponse };

export const transcribeRecording = async (found: FoundRecording, work: RecordingWork): Promise<Result> => {
  const known = work.index.ofRecording(found.address);
  if (known?.state === 'written' && isSameVersion(known, found)) return { kind: 'known' };
  const opened = await work.source.open(found, work.signal);
  try {
    return await transcribeOpened(found, opened, work);
  } finally {
    await opened.release();
  }
};

const transcribeOpened = async (
  found: FoundRecording,
  opened: OpenedRecording,
  work: RecordingWork,
): Promise<Result> => {
  const { index, output, source } = work;
  const before = await recordOfContent(found, opened.sha256, work);
  if (before?.state === 'written') {
    // The recording was only touched or moved, so only its record changes.
    await record(work, { ...recordOf(found, opened, before.output), state: 'written' });
    return before.recording === found.address ? { kind: 'known' } : { kind: 'renamed', output: before.output };
  }
  const name = before?.output ?? index.ofRecording(found.address)?.output ?? (await freeOutput(found, work));
  const mine = recordOf(found, opened, name);
  try {
    await record(work, { ...mine, state: 'started' });
    const answer = await answerFor(opened, work);
    if (!(await source.isUnchanged(found))) throw new RecordingChanged();
    work.signal.throwIfAborted();
    await output.write(name, formatAnswer(answer, work.format));
    await record(work, { ...mine, state: 'written' });
    return { kind: 'written', output: name, answer };
  } catch (thrown) {
    index.free(name);
    throw thrown;
  }
};

/** A record of the same content: of this recording, or of one that no longer exists and so was renamed. */
const recordOfContent = async (
  found: FoundRecording,
  sha256: string,
  { index, isPresent, source }: RecordingWork,
): Promise<TranscriptRecord | undefined> => {
  const same = index.ofContent(sha256);
  const own = same.find(({ recording }) => recording === found.address);
  if (own) return own;
  const renamed: TranscriptRecord[] = [];
  // A listing takes time: it may have both names of a recording that was renamed meanwhile.
  for (const each of same) if (!isPresent(each.recording) || !(await source.exists(each.recording))) renamed.push(each);
  return renamed.find(({ state }) => state === 'written') ?? renamed[0];
};

/** Frees the name of a transcript that was never written. */
export const releaseOutput = async (found: FoundRecording, { index, output }: RecordingWork): Promise<void> => {
  const known = index.ofRecording(found.address);
  if (known?.state !== 'started' || (await output.exists(known.output))) return;
  index.remove(known.output);
  await output.record({ ...known, state: 'released' });
};

const isSameVersion = (known: TranscriptRecord, { bytes, modifiedMs, etag }: FoundRecording): boolean =>
  known.bytes === bytes && known.modified_ms === modifiedMs && known.etag === etag;

const recordOf = (
  { address, bytes, modifiedMs, etag }: FoundRecording,
  { sha256 }: OpenedRecording,
  output: string,
) => ({
  output,
  recording: address,
  bytes,
  modified_ms: modifiedMs,
  ...(etag !== undefined && { etag }),
  sha256,
});

const record = async ({ index, output }: RecordingWork, entry: TranscriptRecord): Promise<void> => {
  await output.record(entry);
  index.set(entry);
};

/** Finds the shortest name that no transcript and no other file has. */
const freeOutput = async ({ name }: FoundRecording, { index, output, format }: RecordingWork): Promise<string> => {
  const short = name.slice(0, name.length - posix.extname(name).length);
  for (let number = 0; ; number += 1) {
    const base = [short, name][number] ?? `${name}-${number}`;
    const candidate = `${base}.${format}`;
    if (!index.reserve(candidate)) continue;
    try {
      if (!(await output.exists(candidate))) return candidate;
      index.free(candidate);
    } catch (thrown) {
      index.free(candidate);
      throw thrown;
    }
  }
};

const answerFor = (opened: OpenedRecording, { transcriber, request, signal, leave }: RecordingWork) => {
  const { audio, sha256 } = opened;
  // The same for every attempt at the same content, whatever its name, so that the server bills it once.
  const idempotencyKey = createHash('sha256')
    .update(JSON.stringify([sha256, request, BUILD]))
    .digest('hex');
  return transcriber.transcribe({ audio, fileName: 'audio', identity: sha256 }, request, {
    signal,
    leave,
    idempotencyKey,
  });
};
