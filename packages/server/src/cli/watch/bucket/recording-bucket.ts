// A bucket that is watched for recordings. Objects appear complete, and each version has its own ETag.
import { createHash } from 'node:crypto';
import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LIMITS } from '@faircopy/contract';
import { isRecordingName } from '../../client/transcript-files.ts';
import {
  type FoundRecording,
  type Listing,
  type OpenedRecording,
  RecordingChanged,
  type RecordingSource,
} from '../ports.ts';
import { type BucketPrefix, ConditionFailed } from './bucket.ts';

const isRecording = (name: string): boolean =>
  isRecordingName(posix.basename(name)) && !name.split('/').some((part) => part.startsWith('.'));

export class RecordingBucket implements RecordingSource {
  readonly #bucket: BucketPrefix;

  constructor(bucket: BucketPrefix) {
    this.#bucket = bucket;
  }

  async list(signal: AbortSignal): Promise<Listing> {
    const recordings: FoundRecording[] = [];
    for await (const { name, bytes, modifiedMs, etag } of this.#bucket.list('', signal))
      if (isRecording(name)) {
        const version = `${etag} ${modifiedMs}`;
        recordings.push({ name, address: this.#bucket.addressOf(name), version, bytes, modifiedMs, etag });
      }
    return { recordings, unusable: [] };
  }

  async open({ name, bytes, etag }: FoundRecording, signal: AbortSignal): Promise<OpenedRecording> {
    const object = await this.#bucket
      .get(name, { signal, ...(etag !== undefined && { etag }) })
      .catch((thrown: unknown) => {
        throw thrown instanceof ConditionFailed ? new RecordingChanged() : thrown;
      });
    if (object === null) throw new RecordingChanged();
    const body = object.body as Readable;
    return bytes <= LIMITS.fileBytesMax ? inMemory(body, bytes) : inFile(body, bytes, signal);
  }

  /** Reading requires the listed ETag, and a newer version is listed as such. */
  async isUnchanged(): Promise<boolean> {
    return true;
  }

  async exists(address: string): Promise<boolean> {
    const root = this.#bucket.addressOf('');
    return address.startsWith(root) && (await this.#bucket.etagOf(address.slice(root.length))) !== null;
  }

  async close(): Promise<void> {
    this.#bucket.close();
  }
}

const inMemory = async (body: Readable, bytes: number): Promise<OpenedRecording> => {
  const hash = createHash('sha256');
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of body) {
    hash.update(chunk);
    chunks.push(chunk);
  }
  const audio = new Blob(chunks);
  if (audio.size !== bytes) throw new RecordingChanged();
  return { audio, sha256: hash.digest('hex'), release: async () => {} };
};

/** Keeps a recording that is too large for one request and for memory in a private folder until it is sent. */
const inFile = async (body: Readable, bytes: number, signal: AbortSignal): Promise<OpenedRecording> => {
  const folder = await mkdtemp(join(tmpdir(), 'faircopy-watch-'));
  const release = () => rm(folder, { recursive: true, force: true });
  try {
    const hash = createHash('sha256');
    const hashing = new Transform({
      transform: (chunk, _encoding, done) => {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    const path = join(folder, 'recording');
    await pipeline(body, hashing, createWriteStream(path, { mode: 0o600 }), { signal });
    const audio = await openAsBlob(path);
    if (audio.size !== bytes) throw new RecordingChanged();
    return { audio, sha256: hash.digest('hex'), release };
  } catch (thrown) {
    await release();
    throw thrown;
  }
};
