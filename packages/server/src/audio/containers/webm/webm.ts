// Reads WebM files as a flat sequence of elements: ids imply their level, and live encoders leave sizes unknown.
import { unsupported } from '../../refusal.ts';
import { type Demuxing, discardsAtEnd, type Packet, packet } from '../../track.ts';
import { pcmFormat, pcmPackets } from '../blocks.ts';
import type { ByteQueue, Waiting } from '../byte-queue.ts';
import type { AudioFormats, Container } from '../container.ts';
import { textAt } from '../read-bytes.ts';
import { parseBlock } from './block.ts';
import { childrenOf, nextElement, signedOf } from './ebml.ts';
import { firstAudioTrack, type WebmTrack } from './tracks.ts';

const ID = {
  HEADER: 0x1a45dfa3,
  SEGMENT: 0x18538067,
  CLUSTER: 0x1f43b675,
  TRACKS: 0x1654ae6b,
  SIMPLE_BLOCK: 0xa3,
  BLOCK_GROUP: 0xa0,
  BLOCK: 0xa1,
  DISCARD_PADDING: 0x75a2,
};
/** No audio block or track list is longer; a longer element is damaged, or video to skip. */
const ELEMENT_BYTES_MAX = 2 * 1024 * 1024;
/** Limit on elements without audio: more than an hour of video has, few enough to skip in a second. */
const OTHER_ELEMENTS_MAX = 500_000;
/** Limit on concatenated recordings in one file. */
const SEGMENTS_MAX = 1000;

export const webmContainer: Container = {
  name: 'a webm file',
  isInContract: true,
  sniff: (start) => textAt(start, 0) === '\x1a\x45\xdf\xa3',
  demux: demuxWebm,
};

function* demuxWebm(bytes: ByteQueue, formats: AudioFormats): Demuxing {
  let track: WebmTrack | undefined;
  let tracks = 0;
  for (let otherElements = 0; otherElements < OTHER_ELEMENTS_MAX; ) {
    const element = yield* nextElement(bytes);
    if (element === 'end') break;
    if (element === 'damaged' || (element.bytes === undefined && !isEntered(element.id))) {
      if (!(yield* findCluster(bytes))) break;
      continue;
    }
    // Segments and clusters are entered: their children come next. Everything else is read whole or skipped.
    otherElements++;
    if (isEntered(element.id)) continue;
    const size = element.bytes!;
    const isWanted = element.id === ID.TRACKS || (track !== undefined && isBlock(element.id));
    if (!isWanted || size > ELEMENT_BYTES_MAX) {
      if (!(yield* bytes.skip(size))) break;
      continue;
    }
    if (!(yield* bytes.need(size))) break;
    const data = bytes.take(size);
    if (element.id === ID.TRACKS) {
      if (++tracks > SEGMENTS_MAX) break;
      track = firstAudioTrack(data, formats);
      yield { kind: 'track', coding: track.coding, skipFrames: track.skipFrames };
    } else if (track) {
      if (yield* packetsOf(element.id, data, track)) otherElements--;
    }
  }
  if (!track) throw unsupported('The webm file ends, or is damaged, before its track list.');
}

const isEntered = (id: number): boolean => id === ID.SEGMENT || id === ID.CLUSTER;
const isBlock = (id: number): boolean => id === ID.SIMPLE_BLOCK || id === ID.BLOCK_GROUP;

/** Returns false when the block is damaged or belongs to another track. */
function* packetsOf(id: number, data: Uint8Array, track: WebmTrack): Generator<Packet, boolean, void> {
  const fields = id === ID.BLOCK_GROUP ? [...childrenOf(data)] : [];
  const content = id === ID.BLOCK_GROUP ? fields.find((field) => field.id === ID.BLOCK)?.data : data;
  const block = content && parseBlock(content);
  if (!block || block.trackNumber !== track.number) return false;
  const padding = fields.find((field) => field.id === ID.DISCARD_PADDING)?.data;
  // Negative padding would cut the start; no encoder writes it.
  const discard = padding ? Math.max(0, Math.round((signedOf(padding) * track.coding.sampleRateHz) / 1e9)) : 0;
  if (track.coding.codec === 'pcm') {
    const format = pcmFormat(track.coding);
    for (const content of block.packets) yield* pcmPackets(content, format);
    return true;
  }
  const lengths = block.packets.map(track.framesOf);
  const discards = discardsAtEnd(lengths, discard);
  for (const [index, content] of block.packets.entries()) {
    if (content.length > 0) yield packet(content, lengths[index]!, discards[index]!);
  }
  return true;
}

/** Resumes after damage at the next cluster or recording; false when there is none. */
function* findCluster(bytes: ByteQueue): Waiting<boolean> {
  if (!(yield* bytes.skip(1))) return false;
  while (yield* bytes.need(4)) {
    const window = bytes.peekSome();
    const at = indexOfStart(window);
    if (at !== -1) {
      bytes.take(at);
      return true;
    }
    // An id may start in the last three bytes.
    bytes.take(window.length - 3);
  }
  return false;
}

const indexOfStart = (window: Uint8Array): number => {
  for (let at = 0; at + 4 <= window.length; at++) {
    if (window[at] !== 0x1f && window[at] !== 0x1a) continue;
    const id = window[at]! * 2 ** 24 + window[at + 1]! * 65_536 + window[at + 2]! * 256 + window[at + 3]!;
    if (id === ID.CLUSTER || id === ID.HEADER) return at;
  }
  return -1;
};
