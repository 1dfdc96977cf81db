import assert from 'node:assert/strict';
import test from 'node:test';
import { bandLayout, LINES } from './bands.ts';
import { type Mp3Header, parseMp3Header } from './header.ts';
import { NOT_DIRECTED } from './scale-factors.ts';
import type { Granule } from './side-info.ts';
import { joinStereo } from './stereo.ts';

const headerWith = (version: number, extension: number): Mp3Header =>
  parseMp3Header(Uint8Array.of(0xff, 0xe3 | (version << 3), 0x90, 0x40 | (extension << 4)))!;
const granule = (scaleFactorCode: number, blockType = 0): Granule =>
  ({ blockType, isMixed: false, scaleFactorCode }) as Granule;

/** Silences the right channel from the given band on. Returns the first line of each band, in thousandths. */
const join = (header: Mp3Header, right: Granule, directions: readonly number[], silentFrom: number) => {
  const layout = bandLayout(header, right);
  const first = new Float32Array(LINES).fill(1);
  const second = new Float32Array(LINES);
  for (const { start, width } of layout.slice(0, silentFrom)) second.fill(0.5, start, start + width);
  const scaleFactors = {
    values: new Uint8Array(layout.length),
    directions: Uint8Array.from(layout, (_, at) => directions[at] ?? NOT_DIRECTED),
    hasPreemphasis: false,
  };
  joinStereo(header, right, layout, scaleFactors, first, second);
  const thousandths = (value: number): number => Math.round(value * 1000);
  return layout.map(({ start }) => [thousandths(first[start]!), thousandths(second[start]!)]);
};

const MPEG1 = 3;
const MPEG2 = 2;

test('mid and side become left and right, with half of the energy each', () => {
  const [band] = join(headerWith(MPEG1, 2), granule(0), [], 22);
  assert.deepEqual(band, [1061, 354]);
});

test('bands above the last of the right channel use their direction; seven means none', () => {
  const bands = join(headerWith(MPEG1, 1), granule(0), [0, 0, 0, 3, 6, NOT_DIRECTED], 2);
  assert.deepEqual(bands.slice(0, 6), [
    [1000, 500],
    [1000, 500],
    [0, 1000],
    [500, 500],
    [1000, 0],
    [1000, 0],
  ]);
});

test('in mixed joint stereo, bands without a direction are mid and side', () => {
  const bands = join(headerWith(MPEG1, 3), granule(0), [0, 3], 1);
  assert.deepEqual(bands.slice(0, 3), [
    [1061, 354],
    [500, 500],
    [707, 707],
  ]);
});

test('MPEG-2 attenuates one side, in steps that the frame declares', () => {
  const fine = join(headerWith(MPEG2, 1), granule(0), [0, 1, 2, 3], 0);
  assert.deepEqual(fine.slice(0, 4), [
    [1000, 1000],
    [841, 1000],
    [1000, 841],
    [707, 1000],
  ]);
  const coarse = join(headerWith(MPEG2, 1), granule(1), [0, 1, 2, 3], 0);
  assert.deepEqual(coarse.slice(0, 4), [
    [1000, 1000],
    [707, 1000],
    [1000, 707],
    [500, 1000],
  ]);
});

test('each window of a short block has its own last band', () => {
  const directions = new Array(39).fill(6);
  // Only the first window of the first band has content in the right channel.
  const bands = join(headerWith(MPEG1, 1), granule(0, 2), directions, 1);
  assert.deepEqual(bands.slice(0, 4), [
    [1000, 500],
    [1000, 0],
    [1000, 0],
    [1000, 0],
  ]);
});
