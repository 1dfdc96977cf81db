// What each container format declares: its name, how to recognise it and how to read it.
import type { Demuxing } from '../track.ts';
import type { ByteQueue } from './byte-queue.ts';

/** Which files to accept: those of the contract (wav, ogg, webm), or everything that can be decoded. */
export type AudioFormats = 'contract' | 'all';

export interface Container {
  /** For error messages, with its article. */
  readonly name: string;
  readonly isInContract: boolean;
  /** Whether the index of a file with this start may follow its audio, so that decoding must wait for the end. */
  mayNeedWholeFile?(start: Uint8Array): boolean;
  /** Whether a file of this format can start with these bytes: the first twelve, or all of a shorter file. */
  sniff(start: Uint8Array): boolean;
  /** Reads from the first of the sniffed bytes. */
  demux(bytes: ByteQueue, formats: AudioFormats): Demuxing;
}
