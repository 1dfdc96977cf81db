// Finds the first track of an MP4 file that can be decoded, and which part of it to play.
import { unsupported } from '../../refusal.ts';
import { viewOf } from '../read-bytes.ts';
import { boxesIn, findBox } from './boxes.ts';
import { type EntryCoding, isAudioTrack, parseSampleEntry } from './sample-entry.ts';
import { parseSampleTable, type SampleTable } from './sample-table.ts';

export interface Mp4Track {
  readonly id: number;
  readonly entry: EntryCoding;
  readonly table: SampleTable | undefined;
  readonly framesPerTick: number;
  readonly skipFrames: number;
  /** Where playback ends, in frames from the start of the media. */
  readonly endFrame: number;
}

/** Throws a Refusal when there is no audio track, or none that can be decoded. */
export const firstAudioTrack = (traks: readonly Uint8Array[], movieTicksPerSecond: number): Mp4Track => {
  let name: string | undefined;
  for (const trak of traks) {
    const stbl = isAudioTrack(trak) ? findBox(trak, 'mdia', 'minf', 'stbl') : undefined;
    const stsd = stbl && findBox(stbl, 'stsd');
    if (!stbl || !stsd) continue;
    const entry = parseSampleEntry(stsd);
    if (typeof entry !== 'string') return trackOf(trak, stbl, entry, movieTicksPerSecond);
    name ??= entry;
  }
  throw unsupported(name ? `The MP4 file holds ${name}, which is not supported.` : 'The MP4 file has no audio track.');
};

const trackOf = (trak: Uint8Array, stbl: Uint8Array, entry: EntryCoding, movieTicksPerSecond: number): Mp4Track => {
  const table = withWholeFrames(parseSampleTable(stbl), entry);
  const { sampleRateHz } = entry.coding;
  const framesPerTick = sampleRateHz / (numberAfterTimes(findBox(trak, 'mdia', 'mdhd')) || sampleRateHz);
  const edit = firstEdit(findBox(trak, 'edts', 'elst'));
  const skipFrames = Math.max(entry.skipFrames, edit ? Math.round(edit.startTicks * framesPerTick) : 0);
  const endFrame = edit
    ? editEnd(edit, skipFrames, table, framesPerTick, sampleRateHz / movieTicksPerSecond)
    : Number.POSITIVE_INFINITY;
  return { id: numberAfterTimes(findBox(trak, 'tkhd')), entry, table, framesPerTick, skipFrames, endFrame };
};

/** Old encoders write a sample size of one byte for a PCM frame. */
const withWholeFrames = (table: SampleTable | undefined, { bytesPerFrame }: EntryCoding): SampleTable | undefined => {
  if (!table || table.sampleCount === 0 || !bytesPerFrame || table.sizeOf(0) >= bytesPerFrame) return table;
  return {
    ...table,
    sizeOf: () => bytesPerFrame,
    bytesOf: (_firstSample, samples) => samples * bytesPerFrame,
  };
};

/** Edit durations are rounded to coarser ticks: ignore one that reaches the end of the media. */
const editEnd = (
  { durationTicks, isOnly }: Edit,
  skipFrames: number,
  table: SampleTable | undefined,
  framesPerTick: number,
  framesPerMovieTick: number,
): number => {
  if (!isOnly || durationTicks === 0 || !Number.isFinite(framesPerMovieTick)) return Number.POSITIVE_INFINITY;
  const end = skipFrames + Math.round(durationTicks * framesPerMovieTick);
  const total = (table?.totalTicks ?? 0) * framesPerTick;
  return end < total - framesPerMovieTick ? end : Number.POSITIVE_INFINITY;
};

/** The id in a track header, or the ticks per second in a media or movie header; 0 when it is missing. */
export const numberAfterTimes = (header: Uint8Array | undefined): number => {
  const at = header?.[0] === 1 ? 20 : 12;
  return header && header.length >= at + 4 ? viewOf(header).getUint32(at) : 0;
};

interface Edit {
  /** In media ticks. */
  readonly startTicks: number;
  /** In movie ticks. */
  readonly durationTicks: number;
  /** Whether there are no further edits. */
  readonly isOnly: boolean;
}

/** Edits without media are pauses before the start; the first with media says where playback starts. */
const firstEdit = (elst: Uint8Array | undefined): Edit | undefined => {
  if (!elst || elst.length < 8) return undefined;
  const view = viewOf(elst);
  const isLong = elst[0] === 1;
  const entryBytes = isLong ? 20 : 12;
  const count = Math.min(view.getUint32(4), Math.floor((elst.length - 8) / entryBytes));
  const number = (at: number): number =>
    isLong ? view.getInt32(at) * 2 ** 32 + view.getUint32(at + 4) : view.getInt32(at);
  let found: Edit | undefined;
  for (let index = 0, at = 8; index < count; index++, at += entryBytes) {
    const durationTicks = isLong ? number(at) : view.getUint32(at);
    const startTicks = number(at + (isLong ? 8 : 4));
    if (startTicks < 0) continue;
    if (found) return { ...found, isOnly: false };
    found = { startTicks, durationTicks, isOnly: true };
  }
  return found;
};

/** Defaults for the fragments of a track. */
export interface FragmentDefaults {
  readonly sampleBytes: number;
  readonly sampleTicks: number;
}

/** Undefined when the movie has no fragments. */
export const fragmentDefaults = (mvex: Uint8Array | undefined, trackId: number): FragmentDefaults | undefined => {
  if (!mvex) return undefined;
  for (const { type, data } of boxesIn(mvex)) {
    if (type !== 'trex' || data.length < 24 || viewOf(data).getUint32(4) !== trackId) continue;
    return { sampleTicks: viewOf(data).getUint32(12), sampleBytes: viewOf(data).getUint32(16) };
  }
  return { sampleTicks: 0, sampleBytes: 0 };
};
