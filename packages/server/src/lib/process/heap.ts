// How much garbage V8 lets accumulate before a full collection.
import { setFlagsFromString } from 'node:v8';

/**
 * Audio and model data pass through large, short-lived buffers. V8 counts them against a limit just above the small live
 * heap, so it collected the whole heap every few requests, for more CPU time than the requests themselves, and several
 * times per window in a recogniser, for a fifth of its CPU time.
 */
const GROWTH_PERCENT = 200;

/** In a flood of requests, most memory would be garbage. */
const FLOOD_GROWTH_PERCENT = 30;

const setGrowth = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`);

export const letHeapGrow = (): void => setGrowth(GROWTH_PERCENT);

export const keepHeapSmall = (): void => setGrowth(FLOOD_GROWTH_PERCENT);
