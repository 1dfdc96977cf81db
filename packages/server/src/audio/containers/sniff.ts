// Detects the container of a file by its first bytes, and names the formats that are not accepted.
import { unsupported } from '../refusal.ts';
import type { Demuxing } from '../track.ts';
import { adtsContainer } from './adts.ts';
import { aiffContainer } from './aiff.ts';
import type { ByteQueue } from './byte-queue.ts';
import { cafContainer } from './caf.ts';
import type { AudioFormats, Container } from './container.ts';
import { flacContainer } from './flac.ts';
import { isId3, skipId3 } from './id3.ts';
import { mp3Container } from './mp3.ts';
import { mp4Container } from './mp4/mp4.ts';
import { oggContainer } from './ogg/ogg.ts';
import { NAMED_BY_BYTES, unsupportedFormatName } from './unsupported-formats.ts';
import { wavContainer } from './wav/wav.ts';
import { webmContainer } from './webm/webm.ts';

/** ADTS comes before MP3, whose shorter sync word it shares. */
const CONTAINERS: readonly Container[] = [
  oggContainer,
  webmContainer,
  wavContainer,
  flacContainer,
  cafContainer,
  aiffContainer,
  mp4Container,
  adtsContainer,
  mp3Container,
];

const ID3_TAGS_MAX = 4;
const START_BYTES = 12;

const containerOf = (start: Uint8Array): Container | undefined =>
  CONTAINERS.find((container) => container.sniff(start));

/** Whether a file with this start may have to arrive completely before it can be decoded. */
export const mayNeedWholeFile = (start: Uint8Array): boolean => containerOf(start)?.mayNeedWholeFile?.(start) === true;

export function* demux(bytes: ByteQueue, formats: AudioFormats): Demuxing {
  for (let tags = 0; ; tags++) {
    const isLongEnough = yield* bytes.need(START_BYTES);
    const start = bytes.peek(Math.min(START_BYTES, bytes.available));
    if (start.length === 0 && tags === 0) throw unsupported('The file is empty.');
    // After an ID3 tag, search for MP3 frames even if none starts here.
    const container = containerOf(start) ?? (tags > 0 && !isId3(start) ? mp3Container : undefined);
    // Callers decide by the start of a file whether it must be held whole, and do not look behind tags.
    const isHidden = tags > 0 && container?.mayNeedWholeFile !== undefined;
    if (container && !isHidden && (formats === 'all' || container.isInContract)) {
      return yield* container.demux(bytes, formats);
    }
    if (!isLongEnough && tags === 0) throw unsupported('The file is too short to hold audio.');
    if (isId3(start) && tags < ID3_TAGS_MAX) {
      yield* skipId3(bytes);
      continue;
    }
    yield* bytes.need(NAMED_BY_BYTES);
    const shown = bytes.peek(Math.min(NAMED_BY_BYTES, bytes.available));
    const name = container?.name ?? unsupportedFormatName(shown);
    throw unsupported(refusalText(tags > 0 ? behindTag(name, formats) : name, formats));
  }
}

const behindTag = (name: string | undefined, formats: AudioFormats): string =>
  name && formats === 'all' ? `${name} behind an ID3 tag` : 'an MP3 file or another file behind an ID3 tag';

const refusalText = (name: string | undefined, formats: AudioFormats): string => {
  if (formats === 'all') return name ? `The file is ${name}, which is not supported.` : 'The file format is unknown.';
  return name
    ? `The file is ${name}; send wav, ogg or webm.`
    : 'The file is not wav, ogg or webm: its format is unknown.';
};
