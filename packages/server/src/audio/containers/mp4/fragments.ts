// Parses movie fragments (ISO/IEC 14496-12 section 8.8): runs of samples, each with its own index.
import { viewOf } from '../read-bytes.ts';
import { boxesIn } from './boxes.ts';
import type { FragmentDefaults } from './tracks.ts';

export interface SampleRun {
  readonly offset: number;
  readonly samples: number;
  /** Of all samples together. */
  readonly bytes: number;
  sizeOf(sample: number): number;
  ticksOf(sample: number): number;
}

const FRAGMENT_FLAG = { BASE_OFFSET: 1, DESCRIPTION: 2, TICKS: 8, SIZE: 0x10 };
const RUN_FLAG = { OFFSET: 1, FIRST_FLAGS: 4, TICKS: 0x100, SIZE: 0x200, FLAGS: 0x400, COMPOSITION: 0x800 };

/** The runs of one track in the fragment at `moofOffset`. */
export function* runsOf(
  moof: Uint8Array,
  moofOffset: number,
  trackId: number,
  defaults: FragmentDefaults,
): Generator<SampleRun, void, void> {
  for (const { type, data } of boxesIn(moof)) {
    if (type !== 'traf') continue;
    const boxes = [...boxesIn(data)];
    const header = parseHeader(boxes.find((box) => box.type === 'tfhd')?.data, moofOffset, defaults);
    if (header?.trackId !== trackId) continue;
    let at = header.baseOffset;
    for (const box of boxes) {
      if (box.type !== 'trun') continue;
      const run = parseRun(box.data, at, header);
      if (!run) return;
      yield run;
      at = run.offset + run.bytes;
    }
  }
}

interface Header extends FragmentDefaults {
  readonly trackId: number;
  readonly baseOffset: number;
}

const parseHeader = (
  tfhd: Uint8Array | undefined,
  moofOffset: number,
  defaults: FragmentDefaults,
): Header | undefined => {
  if (!tfhd || tfhd.length < 8) return undefined;
  const view = viewOf(tfhd);
  const flags = view.getUint32(0);
  let at = 8;
  const has = (flag: number, bytes: number): boolean => (flags & flag) !== 0 && at + bytes <= tfhd.length;
  let baseOffset = moofOffset;
  if (has(FRAGMENT_FLAG.BASE_OFFSET, 8)) {
    baseOffset = view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4);
    at += 8;
  }
  if (has(FRAGMENT_FLAG.DESCRIPTION, 4)) at += 4;
  let { sampleTicks, sampleBytes } = defaults;
  if (has(FRAGMENT_FLAG.TICKS, 4)) {
    sampleTicks = view.getUint32(at);
    at += 4;
  }
  if (has(FRAGMENT_FLAG.SIZE, 4)) sampleBytes = view.getUint32(at);
  return { trackId: view.getUint32(4), baseOffset, sampleTicks, sampleBytes };
};

const parseRun = (trun: Uint8Array, after: number, header: Header): SampleRun | undefined => {
  if (trun.length < 8) return undefined;
  const view = viewOf(trun);
  const flags = view.getUint32(0);
  let at = 8;
  let offset = after;
  if (flags & RUN_FLAG.OFFSET) {
    if (trun.length < 12) return undefined;
    offset = header.baseOffset + view.getInt32(at);
    at += 4;
  }
  if (flags & RUN_FLAG.FIRST_FLAGS) at += 4;
  const fieldBytes = (flag: number): number => (flags & flag ? 4 : 0);
  const sizeAt = fieldBytes(RUN_FLAG.TICKS);
  const entryBytes = sizeAt + fieldBytes(RUN_FLAG.SIZE) + fieldBytes(RUN_FLAG.FLAGS) + fieldBytes(RUN_FLAG.COMPOSITION);
  const declared = view.getUint32(4);
  const samples =
    entryBytes > 0 ? Math.min(declared, Math.floor(Math.max(0, trun.length - at) / entryBytes)) : declared;
  const field = (flag: number, fieldAt: number, otherwise: number) =>
    flags & flag
      ? (sample: number): number => view.getUint32(at + sample * entryBytes + fieldAt)
      : (): number => otherwise;
  const sizeOf = field(RUN_FLAG.SIZE, sizeAt, header.sampleBytes);
  // Constant sizes are multiplied: a run of a few bytes may declare billions of samples.
  const bytes = flags & RUN_FLAG.SIZE ? sumOf(sizeOf, samples) : samples * header.sampleBytes;
  return {
    offset,
    samples,
    bytes,
    sizeOf,
    ticksOf: field(RUN_FLAG.TICKS, 0, header.sampleTicks),
  };
};

const sumOf = (sizeOf: SampleRun['sizeOf'], samples: number): number => {
  let total = 0;
  for (let sample = 0; sample < samples; sample++) total += sizeOf(sample);
  return total;
};
