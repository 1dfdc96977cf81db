// A dialogue of two voices for tests: low tones are one person, high tones another.
import { joined, quiet, spoken } from '../../src/speech/testing/tones.ts';

export const ANNA = 'apple bridge candle desk engine forest garden harbour'.split(' ');
export const BEN = 'quarry river saddle table umbrella valley window yard'.split(' ');
export const LAST = ANNA.slice(0, 4);

/** Anna, Ben, Anna again. */
export const DIALOGUE = joined(spoken(ANNA), quiet(0.8), spoken(BEN), quiet(0.8), spoken(LAST), quiet(0.5));
/** The speaker of each word. */
export const VOICES = [...ANNA.map(() => 0), ...BEN.map(() => 1), ...LAST.map(() => 0)];
