// The time grid of the speaker models: both see 16 kHz audio as frames of 270 samples.

import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';

/** Samples between two frames, of the segmentation model and of the embedding model alike. */
export const FRAME_SAMPLES = 270;

/** Sample at the centre of the first frame. */
const FRAME_OFFSET_SAMPLES = 495;

export const SECONDS_PER_FRAME = FRAME_SAMPLES / SAMPLE_RATE_HZ;

/** Size of one run of the segmentation model. */
export const WINDOW_SAMPLES = 160_000;
export const WINDOW_FRAMES = 589;

/** Where a frame begins: half a frame before its centre. */
export const frameStartSample = (frame: number): number =>
  FRAME_OFFSET_SAMPLES - FRAME_SAMPLES / 2 + frame * FRAME_SAMPLES;

export const frameStartSeconds = (frame: number): number => frameStartSample(frame) / SAMPLE_RATE_HZ;

/** The first frame of a window that starts at this sample, on the grid of the whole recording. */
export const frameAtSample = (sample: number): number => Math.round(sample / FRAME_SAMPLES);

/** Frames that a recording of this length covers. */
export const framesIn = (samples: number): number => Math.floor(samples / FRAME_SAMPLES) + 2;
