// Buffers the encoded bytes of an upload while they may be read again; they count against the upload memory.
import { LIMITS } from '@faircopy/contract';
import { Fault, invalidRequest } from '../../lib/fault.ts';
import { type Deferred, deferred } from '../../lib/time/deferred.ts';
import { FileStart } from './file-start.ts';
import type { UploadMemory } from './upload-memory.ts';

/** Bytes that may always be queued for the reader. */
const QUEUED_BYTES_MAX = 1024 * 1024;
/** Files up to this size can be read again. As memory allows, they also arrive without waiting for their reader. */
const REPLAYABLE_BYTES_MAX = LIMITS.fileBytesMax;
/** Bytes of a larger file that may be buffered ahead of its reader. */
const AHEAD_BYTES_MAX = 16 * 1024 * 1024;

const modelTooLate = (): Fault =>
  invalidRequest('The model must be sent before a file that is larger than 50 MB.', 'model');

const channelsTooLarge = (): Fault =>
  new Fault('FILE_TOO_LARGE', {
    message:
      'A file whose channels are transcribed separately may have at most 50 MB, since it is read once per channel. Send each channel as a separate file.',
  });

/** One pass over the bytes. */
interface Reading {
  /** The next chunk to read. */
  next: number;
  /** Bytes that are buffered and not yet read. */
  queuedBytes: number;
  state: 'running' | 'over';
}

export class EncodedFile {
  readonly #memory: UploadMemory;
  readonly #accountId: string;
  readonly #chunks: Uint8Array[] = [];
  #heldBytes = 0;
  /** Bytes that a decoder may hold until the end, since the file's index may come last. */
  #bytesAtDecoder = 0;
  readonly #start = new FileStart();
  #isReplayable = true;
  #isForChannels = false;
  #state: 'arriving' | 'complete' | 'released' = 'arriving';
  #reading: Reading | undefined;
  /** Resolves when bytes or the end of the file arrive, or when the reading ends. */
  #changed: Deferred<void> = deferred();
  /** Resolves when the reader has made room for more bytes. */
  #room: Deferred<void> | undefined;

  constructor(memory: UploadMemory, accountId: string) {
    this.#memory = memory;
    this.#accountId = accountId;
  }

  get isComplete(): boolean {
    return this.#state === 'complete';
  }

  /** Whether a new reading would get every byte from the start. */
  get isReplayable(): boolean {
    return this.#isReplayable && this.#state === 'arriving';
  }

  /** Throws when the account or the process holds too much. A promise asks the caller to wait before sending more. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#state !== 'arriving') return undefined;
    this.#start.add(bytes);
    this.#hold(bytes.length);
    this.#chunks.push(bytes);
    this.#heldBytes += bytes.length;
    const reading = this.#reading;
    // Without a reader, the caller must not wait: the field that starts a reading may come after these bytes.
    if (!reading) return undefined;
    reading.queuedBytes += bytes.length;
    this.#wake();
    if (this.#hasRoom(reading)) return undefined;
    this.#room ??= deferred();
    return this.#room.promise;
  }

  /** Keeps every byte, since each channel is read separately. */
  keepForChannels(): void {
    this.#isForChannels = true;
  }

  /** Call when no other reading follows: chunks are then freed as they are read. */
  readOnce(): void {
    this.#isReplayable = false;
  }

  /** Marks the end of the file. */
  complete(): void {
    if (this.#state !== 'arriving') return;
    this.#state = 'complete';
    this.#wake();
  }

  /** Reads all bytes from the start, as they arrive. Ends an earlier reading. */
  read(): AsyncIterable<Uint8Array> {
    this.endReading();
    const reading: Reading = { next: 0, queuedBytes: this.#heldBytes, state: 'running' };
    this.#reading = reading;
    return this.#read(reading);
  }

  /** Ends the current reading; the next one gets every byte from the start. */
  endReading(): void {
    if (this.#reading) this.#reading.state = 'over';
    this.#reading = undefined;
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

  /** Whether more bytes may arrive before the reader has taken the queued ones. */
  #hasRoom({ queuedBytes }: Reading): boolean {
    if (queuedBytes <= QUEUED_BYTES_MAX) return true;
    const aheadMax = this.#isReplayable ? REPLAYABLE_BYTES_MAX : AHEAD_BYTES_MAX;
    return queuedBytes <= aheadMax && this.#memory.isAmple(this.#accountId);
  }

  /** Reserves memory. Chunks that were read are kept for another reading as long as memory allows. */
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
      if (!reading || reading.next === 0 || this.#start.mayNeedWholeFile) throw full;
      this.#isReplayable = false;
      this.#forgetRead(reading);
      this.#memory.take(this.#accountId, bytes);
    }
  }

  #forgetRead(reading: Reading): void {
    const bytes = this.#drop(reading.next);
    reading.next = 0;
    if (this.#start.mayNeedWholeFile) this.#bytesAtDecoder += bytes;
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
