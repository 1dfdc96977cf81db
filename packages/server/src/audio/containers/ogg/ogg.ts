// Reads Ogg files: picks the first audio stream of each link, reassembles its packets, and trims start and end by
// position.
import { unsupported } from '../../refusal.ts';
import { type Demuxing, discardsAtEnd, packet } from '../../track.ts';
import type { ByteQueue } from '../byte-queue.ts';
import type { Container } from '../container.ts';
import { textAt } from '../read-bytes.ts';
import { type OggCodec, type OggTrack, oggCodecOf, otherOggCodecName } from './codecs.ts';
import { nextOggPage, type OggPage, OggSearch } from './page.ts';

/** Comments may hold pictures; no supported codec needs a larger packet. */
const PACKET_BYTES_MAX = 4 * 1024 * 1024;
/** Limit on links: each costs a decoder, and a hostile file could have any number. */
const LINKS_MAX = 1000;

export const oggContainer: Container = {
  name: 'an ogg file',
  isInContract: true,
  sniff: (start) => textAt(start, 0) === 'OggS',
  demux: demuxOgg,
};

function* demuxOgg(bytes: ByteQueue): Demuxing {
  let stream: LogicalStream | undefined;
  let otherName: string | undefined;
  let linkHasData = false;
  let tracks = 0;
  const search = new OggSearch();
  for (;;) {
    const page = yield* nextOggPage(bytes, search);
    if (!page) break;
    if (page.isFirst) {
      if (linkHasData || stream?.serial === page.serial) {
        if (stream) yield* stream.finish();
        stream = undefined;
        linkHasData = false;
      }
      if (stream) continue;
      const firstPacket = page.body.subarray(0, firstPacketBytes(page));
      const codec = oggCodecOf(firstPacket);
      if (codec && tracks < LINKS_MAX) {
        tracks++;
        stream = new LogicalStream(page.serial, codec);
      } else {
        otherName ??= otherOggCodecName(firstPacket);
      }
    } else {
      linkHasData = true;
    }
    if (stream?.serial === page.serial) yield* stream.read(page);
  }
  if (stream) yield* stream.finish();
  if (tracks > 0) return;
  throw unsupported(
    otherName
      ? `The ogg file holds ${otherName}, which is not supported; Opus, Vorbis and FLAC are.`
      : 'The ogg file has no supported audio stream; Opus, Vorbis and FLAC are supported.',
  );
}

const firstPacketBytes = ({ lacing }: OggPage): number => {
  const last = lacing.findIndex((length) => length < 255);
  return lacing.subarray(0, last === -1 ? lacing.length : last + 1).reduce((sum, length) => sum + length, 0);
};

/** One logical stream: its packets, and the position that each page declares. */
class LogicalStream {
  readonly serial: number;
  readonly #codec: OggCodec;
  #track: OggTrack | undefined;
  /** The track is announced with the first audio page, which may trim the start. */
  #state: 'headers' | 'ready' | 'playing' = 'headers';
  #pieces: Uint8Array[] = [];
  #pieceBytes = 0;
  #nextSequence: number | undefined;
  #granule: number | undefined;

  constructor(serial: number, codec: OggCodec) {
    this.serial = serial;
    this.#codec = codec;
  }

  *read(page: OggPage): Demuxing {
    const audio: Uint8Array[] = [];
    for (const data of this.#packetsOf(page)) {
      if (!this.#track) {
        this.#track = this.#codec.header(data);
        if (this.#track) this.#state = 'ready';
      } else if (!this.#track.isHeader(data)) {
        audio.push(data);
      }
    }
    if (this.#track && audio.length > 0) yield* this.#emit(page, audio, this.#track);
    if (page.granule !== undefined && audio.length > 0) this.#granule = page.granule;
  }

  /** Call this at the end of the stream: a stream without audio still announces its track. */
  *finish(): Demuxing {
    if (this.#state === 'ready' && this.#track) {
      yield { kind: 'track', coding: this.#track.coding, skipFrames: 0 };
      this.#state = 'playing';
    }
    if (this.#state === 'headers') {
      throw unsupported('The ogg file ends, or is damaged, before its audio starts.');
    }
  }

  *#emit(page: OggPage, audio: readonly Uint8Array[], track: OggTrack): Demuxing {
    const lengths = audio.map(track.framesOf);
    const total = lengths.reduce((sum, frames) => sum + frames, 0);
    const isStart = this.#state === 'ready';
    if (isStart) {
      // A first page whose position is less than its length has surplus frames at its start.
      const isEarly = track.mayStartEarly && page.granule !== undefined && !page.isLast;
      const early = isEarly ? Math.max(0, total - page.granule) : 0;
      yield { kind: 'track', coding: track.coding, skipFrames: track.preSkipFrames + early };
      this.#state = 'playing';
    }
    const discards = discardsAtEnd(lengths, page.isLast ? this.#surplus(page.granule, total, isStart) : 0);
    for (const [index, data] of audio.entries()) {
      // Packets that are entirely padding need not be decoded: nothing follows them.
      if (lengths[index]! > 0 && discards[index] === lengths[index]) continue;
      yield packet(data, lengths[index]!, discards[index]!);
    }
  }

  /** Frames of the last page's packets beyond the position that it declares. */
  #surplus(granule: number | undefined, total: number, isStart: boolean): number {
    const before = isStart ? 0 : this.#granule;
    if (granule === undefined || before === undefined || granule < before) return 0;
    return Math.max(0, total - (granule - before));
  }

  #packetsOf(page: OggPage): Uint8Array[] {
    const inOrder = this.#nextSequence === undefined || page.sequence === this.#nextSequence;
    this.#nextSequence = (page.sequence + 1) >>> 0;
    if (!inOrder || !page.isContinued) this.#dropPieces();
    /** The rest of a packet whose start was lost. */
    let isOrphan = page.isContinued && this.#pieces.length === 0;
    const packets: Uint8Array[] = [];
    let from = 0;
    let to = 0;
    for (const length of page.lacing) {
      to += length;
      if (length === 255) continue;
      // Skip empty packets: they mean nothing in these codecs, and a page can hold hundreds.
      const isEmpty = to === from && this.#pieces.length === 0;
      if (!isOrphan && !isEmpty) packets.push(this.#complete(page.body.subarray(from, to)));
      isOrphan = false;
      from = to;
    }
    if (to > from && !isOrphan) this.#keep(page.body.subarray(from, to));
    return packets;
  }

  #complete(last: Uint8Array): Uint8Array {
    if (this.#pieces.length === 0) return last;
    this.#keep(last);
    const whole = new Uint8Array(this.#pieceBytes);
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    this.#dropPieces();
    return whole;
  }

  #keep(piece: Uint8Array): void {
    if (this.#pieceBytes + piece.length > PACKET_BYTES_MAX) return;
    this.#pieces.push(piece);
    this.#pieceBytes += piece.length;
  }

  #dropPieces(): void {
    this.#pieces = [];
    this.#pieceBytes = 0;
  }
}
