// What a watcher reads from and writes to: a folder or a bucket.
import type { TranscriptRecord } from '../client/transcript-log.ts';

export interface FoundRecording {
  /** Path within the watched place, with slashes. */
  readonly name: string;
  /** Full path or address, for records and messages. */
  readonly address: string;
  /** Changes whenever the recording does. */
  readonly version: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly etag?: string;
}

/** Something that looks like a recording but cannot be one, or a folder that cannot be read. */
export interface Unusable {
  readonly address: string;
  readonly reason: unknown;
}

export interface Listing {
  readonly recordings: readonly FoundRecording[];
  readonly unusable: readonly Unusable[];
}

export interface OpenedRecording {
  readonly audio: Blob;
  readonly sha256: string;
  release(): Promise<void>;
}

/** The recording has changed since it was listed. */
export class RecordingChanged extends Error {
  constructor() {
    super('It was changed, moved or deleted while it was being read. It will be checked again.');
  }
}

/** The recording cannot be read until something about it changes. */
export class UnreadableRecording extends Error {}

export interface RecordingSource {
  /** Rejects when nothing can be listed. */
  list(signal: AbortSignal): Promise<Listing>;
  /** Rejects with RecordingChanged when it is no longer the version that was listed. */
  open(found: FoundRecording, signal: AbortSignal): Promise<OpenedRecording>;
  isUnchanged(found: FoundRecording): Promise<boolean>;
  /** Whether there is a recording at this address now. */
  exists(address: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface WatchLock {
  /** Aborted when another watcher has taken over. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** Another watcher writes to the same place. */
export class AlreadyWatched extends Error {}

export interface TranscriptOutput {
  /** Rejects with AlreadyWatched. */
  lock(signal: AbortSignal): Promise<WatchLock>;
  /** Records by output, which is a path with slashes. Called once, with the lock. */
  records(): Promise<readonly TranscriptRecord[]>;
  /** Durable when it resolves. */
  record(record: TranscriptRecord): Promise<void>;
  exists(output: string): Promise<boolean>;
  /** Writes the transcript completely or not at all. */
  write(output: string, text: string): Promise<void>;
  addressOf(output: string): string;
  close(): Promise<void>;
}
