// How much garbage may gather before the heap of the service is searched for it.
import { setFlagsFromString } from 'node:v8';

/**
 * Audio goes through in large buffers that live for a moment. V8 counts them against a bound that it sets a little above
 * the small live heap, so that every few requests all of it was searched, for more CPU time than the requests took.
 */
const GROWTH_PERCENT = 200;

export const letHeapGrow = (): void => setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
