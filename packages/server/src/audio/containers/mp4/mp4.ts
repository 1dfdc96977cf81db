// Reads MP4, M4A, MOV and 3GP files (ISO/IEC 14496-12): with the index before or after the media, or in fragments.
import { LIMITS } from '@faircopy/contract/values';
import { unsupported } from '../../refusal.ts';
import type { Demuxing, Packet } from '../../track.ts';
import { type BlockFormat, PCM_PACKET_BYTES_MAX, pcmFormat, pcmPackets } from '../blocks.ts';
import type { ByteQueue, NeedsBytes, Waiting } from '../byte-queue.ts';
import type { Container } from '../container.ts';
import { textAt } from '../read-bytes.ts';
import { indexTooFar, RetainedBytes, retainBytes } from '../retained-bytes.ts';
import { boxHeadersIn, nextBox } from './boxes.ts';
import { runsOf, type SampleRun } from './fragments.ts';
import { isAudioTrack } from './sample-entry.ts';
import { chunksOf, type SampleTable } from './sample-table.ts';
import { rangesOf, readSample } from './samples.ts';
import { type FragmentDefaults, firstAudioTrack, fragmentDefaults, type Mp4Track, numberAfterTimes } from './tracks.ts';
import { PacketTrim } from './trim.ts';

/** More than the index of hours of audio needs. */
const TRACK_BYTES_MAX = 4 * 1024 * 1024;
const HEADER_BYTES_MAX = 64 * 1024;
const FRAGMENT_BYTES_MAX = 1024 * 1024;
/** Uploads are not larger, so everything before the index can be retained. */
const RETAINED_BYTES_MAX = LIMITS.fileBytesMax;
/** Far more than encoders write, few enough to skip quickly. */
const BOXES_MAX = 100_000;
const AUDIO_TRACKS_MAX = 16;
const EMPTY_SAMPLES_MAX = 100_000;

interface Movie {
  readonly track: Mp4Track;
  /** Undefined when the movie has no fragments. */
  readonly fragments: FragmentDefaults | undefined;
}

/** Boxes with which MP4 and QuickTime files start. */
const FIRST_BOXES = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot', 'styp']);

export const mp4Container: Container = {
  name: 'an MP4 or M4A file',
  isInContract: false,
  mayNeedWholeFile: (start) => !isIndexFirst(start),
  sniff: (start) => FIRST_BOXES.has(textAt(start, 4)),
  demux: demuxMp4,
};

/** Whether the index starts within these bytes, before any audio. */
const isIndexFirst = (start: Uint8Array): boolean => {
  for (const { type } of boxHeadersIn(start)) {
    if (type === 'moov') return true;
    if (type === 'mdat') return false;
  }
  return false;
};

function* demuxMp4(bytes: ByteQueue): Demuxing {
  const retained = new RetainedBytes();
  let reader: TrackReader | undefined;
  let movie: Movie | undefined;
  let runs: Iterable<SampleRun> = [];
  for (let boxes = 0; boxes < BOXES_MAX && !reader?.isOver; boxes++) {
    const start = bytes.position;
    const box = yield* nextBox(bytes);
    if (box === 'end' || box === 'damaged') break;
    if (box.type === 'moov' && !movie) {
      movie = yield* readMovie(bytes, box.bytes);
      const { track } = movie;
      // If the media came before the index, all of it has arrived, and the duration in the index is about that audio.
      const declaredSeconds = retained.bytes > 0 ? secondsOf(track) : 0;
      yield { kind: 'track', coding: track.entry.coding, skipFrames: track.skipFrames, declaredSeconds };
      reader = new TrackReader(bytes, retained, track);
      const hasTable = track.table !== undefined && track.table.sampleCount > 0;
      if (hasTable || !movie.fragments) {
        if (track.table) yield* reader.readTable(track.table);
        break;
      }
    } else if (box.type === 'moof' && movie?.fragments && box.bytes <= FRAGMENT_BYTES_MAX) {
      if (!(yield* bytes.need(box.bytes))) break;
      runs = runsOf(bytes.take(box.bytes), start, movie.track.id, movie.fragments);
    } else if (box.type === 'mdat' && !movie) {
      // Refuse now, not after 50 MB have arrived. A box without a size extends to the end of the file.
      if (Number.isFinite(box.bytes) && box.bytes > RETAINED_BYTES_MAX) throw indexTooFar(RETAINED_BYTES_MAX);
      yield* retainBytes(bytes, retained, box.bytes, RETAINED_BYTES_MAX);
    } else {
      const end = bytes.position + box.bytes;
      if (box.type === 'mdat' && reader) yield* reader.readRuns(runs, end);
      if (!(yield* bytes.skip(end - bytes.position))) break;
    }
  }
  if (!reader) throw unsupported('The MP4 file ends, or is damaged, before its index.');
  yield* reader.finish();
}

const secondsOf = ({ table, framesPerTick, skipFrames, endFrame, entry }: Mp4Track): number => {
  const frames = Math.min(endFrame, (table?.totalTicks ?? 0) * framesPerTick);
  return Math.max(0, frames - skipFrames) / entry.coding.sampleRateHz;
};

/** Reads the audio tracks and skips everything else, such as pictures. */
function* readMovie(bytes: ByteQueue, size: number): Waiting<Movie> {
  const end = bytes.position + size;
  const traks: Uint8Array[] = [];
  let header: Uint8Array | undefined;
  let extension: Uint8Array | undefined;
  for (let boxes = 0; boxes < BOXES_MAX && bytes.position < end; boxes++) {
    const box = yield* nextBox(bytes);
    if (box === 'end' || box === 'damaged') break;
    const isTrack = box.type === 'trak' && traks.length < AUDIO_TRACKS_MAX;
    const isHeader = box.type === 'mvhd' || box.type === 'mvex';
    if (box.bytes > (isTrack ? TRACK_BYTES_MAX : isHeader ? HEADER_BYTES_MAX : -1)) {
      if (!(yield* bytes.skip(box.bytes))) break;
      continue;
    }
    if (!(yield* bytes.need(box.bytes))) break;
    const data = bytes.take(box.bytes);
    if (box.type === 'mvhd') header = data;
    else if (box.type === 'mvex') extension = data;
    else if (isAudioTrack(data)) traks.push(data);
  }
  const track = firstAudioTrack(traks, numberAfterTimes(header));
  return { track, fragments: fragmentDefaults(extension, track.id) };
}

/** Reads the samples of one track, from its table or from fragments. */
class TrackReader {
  readonly #bytes: ByteQueue;
  readonly #retained: RetainedBytes;
  readonly #track: Mp4Track;
  readonly #trim: PacketTrim;
  /** For uncompressed audio. */
  readonly #pcm: BlockFormat | undefined;
  #emptySamples = 0;

  constructor(bytes: ByteQueue, retained: RetainedBytes, track: Mp4Track) {
    this.#bytes = bytes;
    this.#retained = retained;
    this.#track = track;
    this.#trim = new PacketTrim(track);
    const { coding } = track.entry;
    this.#pcm = coding.codec === 'pcm' ? pcmFormat(coding) : undefined;
  }

  get isOver(): boolean {
    return this.#trim.isOver || this.#emptySamples > EMPTY_SAMPLES_MAX;
  }

  *finish(): Demuxing {
    yield* this.#trim.finish();
  }

  *readTable(table: SampleTable): Demuxing {
    const ranges = rangesOf(table, this.#retained.bytes > 0 ? this.#bytes.position : 0);
    // Samples out of file order need the whole file.
    if (ranges) this.#retained.keepOnly(ranges);
    else yield* retainBytes(this.#bytes, this.#retained, Number.POSITIVE_INFINITY, RETAINED_BYTES_MAX);
    for (const chunk of chunksOf(table)) {
      if (this.#pcm) {
        // A sample is one frame here, so read larger pieces.
        const end = chunk.offset + table.bytesOf(chunk.firstSample, chunk.samples);
        const most = PCM_PACKET_BYTES_MAX - (PCM_PACKET_BYTES_MAX % this.#pcm.blockBytes);
        for (let at = chunk.offset; at < end; at += most) {
          if (!(yield* this.#readSample(at, Math.min(most, end - at), undefined))) return;
        }
        continue;
      }
      let at = chunk.offset;
      for (let sample = chunk.firstSample; sample < chunk.firstSample + chunk.samples; sample++) {
        const size = table.sizeOf(sample);
        const ticks = sample === table.sampleCount - 1 ? table.lastSampleTicks : undefined;
        if (!(yield* this.#readSample(at, size, ticks))) return;
        at += size;
      }
    }
  }

  /** Reads runs up to the end of their box. */
  *readRuns(runs: Iterable<SampleRun>, end: number): Demuxing {
    for (const run of runs) {
      let at = run.offset;
      for (let sample = 0; sample < run.samples; sample++) {
        const size = run.sizeOf(sample);
        if (at + size > end) break;
        if (!(yield* this.#readSample(at, size, run.ticksOf(sample)))) return;
        at += size;
      }
    }
  }

  /** Returns false when there is no more to read. */
  *#readSample(offset: number, size: number, ticks: number | undefined): Generator<Packet | NeedsBytes, boolean, void> {
    const data = yield* readSample(this.#bytes, this.#retained, offset, size);
    if (data === 'end') return false;
    if (data && this.#pcm && data.length >= this.#pcm.blockBytes) {
      for (const piece of pcmPackets(data, this.#pcm)) yield* this.#trim.push(piece.data, piece.frames, undefined);
      return !this.isOver;
    }
    const frames = data ? this.#track.entry.framesOf(data) : 0;
    if (data && frames > 0) yield* this.#trim.push(data, frames, ticks);
    else this.#emptySamples++;
    return !this.isOver;
  }
}
