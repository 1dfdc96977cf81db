// How much garbage may gather before the heap of a process is searched for it.
import { setFlagsFromString } from 'node:v8';

/**
 * Audio, and what models make of it, goes through in large buffers that live for a moment. V8 counts them against a bound
 * that it sets a little above the small live heap, so that all of it was searched every few requests in the service, for
 * more CPU time than they took, and several times a window in a recogniser, for a fifth of its CPU time.
 */
const GROWTH_PERCENT = 200;

/** In a flood of requests most of the memory would be garbage, and the machine may have no more. */
const FLOOD_GROWTH_PERCENT = 30;

const setGrowth = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`);

export const letHeapGrow = (): void => setGrowth(GROWTH_PERCENT);

export const keepHeapSmall = (): void => setGrowth(FLOOD_GROWTH_PERCENT);
