// Sets how much garbage V8 lets accumulate before a full collection.
import { setFlagsFromString } from 'node:v8';

/**
 * Audio and model data pass through large, short-lived buffers, which V8 counts against a limit just above the small
 * live heap. By default it collected the whole heap every few requests, which took more CPU time than the requests, and
 * several times per window in a recogniser, which took a fifth of its CPU time.
 */
const GROWTH_PERCENT = 200;

/** With GROWTH_PERCENT, a flood of requests would fill most of the memory with garbage. */
const FLOOD_GROWTH_PERCENT = 30;

const setGrowth = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`);

export const letHeapGrow = (): void => setGrowth(GROWTH_PERCENT);

export const keepHeapSmall = (): void => setGrowth(FLOOD_GROWTH_PERCENT);
