// Finds the frames of formats without a container (MP3, ADTS), even after damage.
import type { ByteQueue, Waiting } from './byte-queue.ts';
import { isId3, skipId3 } from './id3.ts';

export interface FrameSyntax<Header extends { readonly frameBytes: number }> {
  readonly headerBytes: number;
  /** Undefined when no frame starts here. */
  readonly parse: (data: Uint8Array, at?: number) => Header | undefined;
  readonly isSameStream: (a: Header, b: Header) => boolean;
}

/** Limit on bytes searched outside of frames and tags, per file. */
const JUNK_BYTES_MAX = 2 * 1024 * 1024;
/** Limit on false frame starts per file: checking each one reads a whole frame. */
const FALSE_STARTS_MAX = 10_000;
const TAGS_MAX = 1000;
const TAG_BYTES_MIN = 10;
/** Limit on changes of rate or channels, which concatenated recordings have. */
export const TRACKS_MAX = 1000;

/** A frame that does not continue the stream is accepted only when another of its kind follows. */
export class FrameSearch<Header extends { readonly frameBytes: number }> {
  readonly #bytes: ByteQueue;
  readonly #syntax: FrameSyntax<Header>;
  #last: Header | undefined;
  #junkBytes = 0;
  #falseStarts = 0;
  #tags = 0;

  constructor(bytes: ByteQueue, syntax: FrameSyntax<Header>) {
    this.#bytes = bytes;
    this.#syntax = syntax;
  }

  /** Returns the header of the next complete frame, whose bytes the caller takes; undefined when there is none. */
  *next(): Waiting<Header | undefined> {
    const { headerBytes, parse, isSameStream } = this.#syntax;
    while (yield* this.#bytes.need(headerBytes)) {
      const header = parse(this.#bytes.peek(headerBytes));
      if (header) {
        const isInStep = this.#last !== undefined && isSameStream(header, this.#last);
        if (isInStep || (yield* this.#isFollowed(header))) {
          this.#last = header;
          return (yield* this.#bytes.need(header.frameBytes)) ? header : undefined;
        }
        if (++this.#falseStarts > FALSE_STARTS_MAX) return undefined;
      } else if (yield* this.#skipTag()) {
        continue;
      }
      this.#last = undefined;
      if (!this.#skipJunk()) return undefined;
    }
    return undefined;
  }

  *#isFollowed(header: Header): Waiting<boolean> {
    const { frameBytes } = header;
    const { headerBytes, parse, isSameStream } = this.#syntax;
    if (!(yield* this.#bytes.need(frameBytes + headerBytes))) return this.#bytes.available >= frameBytes;
    const next = parse(this.#bytes.peek(frameBytes + headerBytes), frameBytes);
    return next !== undefined && isSameStream(header, next);
  }

  /** Concatenated recordings have tags between them. */
  *#skipTag(): Waiting<boolean> {
    if (this.#tags >= TAGS_MAX || !(yield* this.#bytes.need(TAG_BYTES_MIN))) return false;
    if (!isId3(this.#bytes.peek(TAG_BYTES_MIN))) return false;
    this.#tags++;
    return yield* skipId3(this.#bytes);
  }

  /** Moves to the next byte that may start a frame or a tag; false when too much has been searched. */
  #skipJunk(): boolean {
    const window = this.#bytes.peekSome();
    // A tag may have declared a length beyond the end of the file.
    if (window.length === 0) return false;
    let at = 1;
    while (at < window.length && window[at] !== 0xff && window[at] !== 0x49) at++;
    this.#bytes.take(at);
    this.#junkBytes += at;
    return this.#junkBytes <= JUNK_BYTES_MAX;
  }
}
