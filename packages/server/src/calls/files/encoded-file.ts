// The encoded bytes of an upload, kept while they may be read again and counted against the memory of uploads.
import { LIMITS } from '@faircopy/contract';
import { mayNeedWholeFile } from '../../audio/upload-decoding.ts';
import { Fault, invalidRequest } from '../../lib/fault.ts';
import { type Deferred, deferred } from '../../lib/time/deferred.ts';
import type { UploadMemory } from './upload-memory.ts';

/** Bytes that may always wait for a reader. */
const QUEUED_BYTES_MAX = 1024 * 1024;
/** Files up to this size can be read again. They also arrive without waiting for their reader, as memory allows. */
const REPLAYABLE_BYTES_MAX = LIMITS.fileBytesMax;
/** Bytes of a larger file that may be here ahead of its reader. */
const AHEAD_BYTES_MAX = 16 * 1024 * 1024;

const modelTooLate = (): Fault =>
  invalidRequest('The model must be named before a file larger than 50 MB: send it first.', 'model');

const channelsTooLarge = (): Fault =>
  new Fault('FILE_TOO_LARGE', {
    message:
      'A file whose channels are transcribed apart may have at most 50 MB, since it is read once for each channel. Send the channels as files of their own.',
  });

/** One pass over the bytes. */
interface Reading {
  /** The next chunk to read. */
  next: number;
  /** Bytes that it has not taken yet. */
  queuedBytes: number;
  state: 'running' | 'over';
}

export class EncodedFile {
  readonly #memory: UploadMemory;
  readonly #accountId: string;
  readonly #chunks: Uint8Array[] = [];
  #heldBytes = 0;
  /** Bytes that a decoder may hold until the end, since the file's index may be at its end. */
  #bytesAtDecoder = 0;
  #needsWholeFile: boolean | undefined;
  #isReplayable = true;
  #isForChannels = false;
  #state: 'arriving' | 'complete' | 'released' = 'arriving';
  #reading: Reading | undefined;
  /** Resolves when bytes, the end or another reading have come. */
  #changed: Deferred<void> = deferred();
  /** Resolves when the reader has taken enough for more bytes. */
  #room: Deferred<void> | undefined;

  constructor(memory: UploadMemory, accountId: string) {
    this.#memory = memory;
    this.#accountId = accountId;
  }

  get isComplete(): boolean {
    return this.#state === 'complete';
  }

  /** Whether another reading would get every byte since the first. */
  get isReplayable(): boolean {
    return this.#isReplayable && this.#state === 'arriving';
  }

  /** Throws when the account or the process holds too much. A promise asks the caller to wait before sending more. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#state !== 'arriving' || this.#reading?.state === 'over') return undefined;
    this.#needsWholeFile ??= mayNeedWholeFile(bytes);
    this.#hold(bytes.length);
    this.#chunks.push(bytes);
    this.#heldBytes += bytes.length;
    const reading = this.#reading;
    // Without a reader, the field that opens one may come after these bytes: the caller must not wait.
    if (!reading) return undefined;
    reading.queuedBytes += bytes.length;
    this.#wake();
    if (this.#hasRoom(reading)) return undefined;
    this.#room ??= deferred();
    return this.#room.promise;
  }

  /** Each channel will be a reading of its own, so every byte is kept. */
  keepForChannels(): void {
    this.#isForChannels = true;
  }

  /** No other reading follows: chunks are freed as they are read. */
  readOnce(): void {
    this.#isReplayable = false;
  }

  /** No more bytes come. */
  complete(): void {
    if (this.#state !== 'arriving') return;
    this.#state = 'complete';
    this.#wake();
  }

  /** The bytes from the first on, as they arrive. Ends an earlier reading. */
  read(): AsyncIterable<Uint8Array> {
    this.endReading();
    const reading: Reading = { next: 0, queuedBytes: this.#heldBytes, state: 'running' };
    this.#reading = reading;
    return this.#read(reading);
  }

  /** Nobody reads any more; later bytes are ignored. */
  endReading(): void {
    if (this.#reading) this.#reading.state = 'over';
    this.#giveRoom();
    this.#wake();
  }

  /** Frees everything; pending promises settle. Safe at any time. */
  release(): void {
    this.#state = 'released';
    this.endReading();
    this.#memory.giveBack(this.#accountId, this.#drop(this.#chunks.length) + this.#bytesAtDecoder);
    this.#bytesAtDecoder = 0;
  }

  async *#read(reading: Reading): AsyncGenerator<Uint8Array> {
    while (reading.state === 'running') {
      const chunk = this.#chunks[reading.next];
      if (chunk === undefined) {
        this.#giveRoom();
        if (this.#state !== 'arriving') return;
        await this.#changed.promise;
        continue;
      }
      reading.next += 1;
      yield chunk;
      if (reading.state !== 'running') return;
      reading.queuedBytes -= chunk.length;
      if (!this.#isReplayable) this.#forgetRead(reading);
      if (this.#hasRoom(reading)) this.#giveRoom();
    }
  }

  /** Whether more bytes may come before the reader has taken those that are here. */
  #hasRoom({ queuedBytes }: Reading): boolean {
    if (queuedBytes <= QUEUED_BYTES_MAX) return true;
    const aheadMax = this.#isReplayable ? REPLAYABLE_BYTES_MAX : AHEAD_BYTES_MAX;
    return queuedBytes <= aheadMax && this.#memory.isAmple(this.#accountId);
  }

  /** Chunks that were read are kept for another reading as long as memory allows it. */
  #hold(bytes: number): void {
    const isTooLarge = this.#heldBytes + bytes > REPLAYABLE_BYTES_MAX;
    if (isTooLarge && this.#isForChannels) throw channelsTooLarge();
    if (isTooLarge && !this.#reading) throw modelTooLate();
    if (this.#isReplayable && this.#reading && isTooLarge) {
      this.#isReplayable = false;
      this.#forgetRead(this.#reading);
    }
    try {
      this.#memory.take(this.#accountId, bytes);
    } catch (full) {
      const reading = this.#reading;
      if (!reading || reading.next === 0 || this.#needsWholeFile) throw full;
      this.#isReplayable = false;
      this.#forgetRead(reading);
      this.#memory.take(this.#accountId, bytes);
    }
  }

  #forgetRead(reading: Reading): void {
    const bytes = this.#drop(reading.next);
    reading.next = 0;
    if (this.#needsWholeFile) this.#bytesAtDecoder += bytes;
    else this.#memory.giveBack(this.#accountId, bytes);
  }

  #drop(chunks: number): number {
    const bytes = this.#chunks.splice(0, chunks).reduce((total, chunk) => total + chunk.length, 0);
    this.#heldBytes -= bytes;
    return bytes;
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = deferred();
  }

  #giveRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }
}
