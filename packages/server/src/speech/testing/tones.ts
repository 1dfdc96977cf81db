// Speech for tests: every word is a burst of its own tone, so that words can be recognised from the samples.
import { SAMPLE_RATE_HZ, SAMPLES_PER_MS } from '../../lib/sample-rate.ts';

const TONE_HZ_FIRST = 400;
const TONE_HZ_STEP = 75;

/** Plain nouns, which refinement leaves unchanged. */
const TONE_WORDS = (
  'apple bridge candle desk engine forest garden harbour island jacket kettle lantern mountain needle orchard pencil ' +
  'quarry river saddle table umbrella valley window yard anchor basket copper drawer feather glass'
).split(' ');

/** Quiet noise, so that silence is not digital zero. */
const NOISE_LEVEL = 0.001;
const TONE_LEVEL = 0.3;

interface ToneTiming {
  readonly wordMs: number;
  /** Pause after each word, short enough to stay within one span of speech. */
  readonly pauseMs: number;
}
const TONE_TIMING: ToneTiming = { wordMs: 240, pauseMs: 120 };

/** Deterministic noise. */
export const quiet = (seconds: number): Float32Array => {
  const samples = new Float32Array(Math.round(seconds * SAMPLE_RATE_HZ));
  let state = 12_345;
  for (let at = 0; at < samples.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    samples[at] = (state / 0x7fffffff - 0.5) * NOISE_LEVEL;
  }
  return samples;
};

export const joined = (...parts: readonly Float32Array[]): Float32Array => {
  const all = new Float32Array(parts.reduce((total, part) => total + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
};

export const spoken = (words: readonly string[], timing: ToneTiming = TONE_TIMING): Float32Array =>
  joined(
    ...words.flatMap((word) => {
      const index = TONE_WORDS.indexOf(word);
      if (index === -1) throw new RangeError(`no tone for "${word}"`);
      const burst = quiet(timing.wordMs / 1000);
      const radiansPerSample = (2 * Math.PI * (TONE_HZ_FIRST + index * TONE_HZ_STEP)) / SAMPLE_RATE_HZ;
      for (let at = 0; at < burst.length; at++) burst[at]! += TONE_LEVEL * Math.sin(radiansPerSample * at);
      return [burst, quiet(timing.pauseMs / 1000)];
    }),
  );

/** Words of an endless story without equal neighbours. */
export const story = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => TONE_WORDS[((from + index) * 7) % TONE_WORDS.length]!);

export const loudness = (samples: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < samples.length; at++) sum += samples[at]! * samples[at]!;
  return Math.sqrt(sum / Math.max(1, samples.length));
};

/** The word of a tone, by the mean length of its cycles. */
const wordOf = (burst: Float32Array): string | undefined => {
  let first = -1;
  let last = -1;
  let cycles = -1;
  for (let at = 1; at < burst.length; at++) {
    const before = burst[at - 1]!;
    const here = burst[at]!;
    if (before > 0 || here <= 0) continue;
    last = at - here / (here - before);
    if (first < 0) first = last;
    cycles += 1;
  }
  if (cycles < 1) return undefined;
  const hz = (cycles * SAMPLE_RATE_HZ) / (last - first);
  return TONE_WORDS[Math.round((hz - TONE_HZ_FIRST) / TONE_HZ_STEP)];
};

const STEP_SAMPLES = 160;
const TONE_LEVEL_MIN = 0.05;
/** Shorter bursts are cut words and do not count. */
const BURST_SAMPLES_MIN = 800;

interface RecognisedTone {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

export const recogniseTones = (samples: Float32Array): RecognisedTone[] => {
  const tones: RecognisedTone[] = [];
  let start = -1;
  for (let at = 0; at < samples.length + STEP_SAMPLES; at += STEP_SAMPLES) {
    const loud = at < samples.length && loudness(samples.subarray(at, at + STEP_SAMPLES)) >= TONE_LEVEL_MIN;
    if (loud && start < 0) start = at;
    if (loud || start < 0) continue;
    const end = Math.min(at, samples.length);
    // The outermost steps may contain more silence than tone.
    const core = samples.subarray(start + STEP_SAMPLES, end - STEP_SAMPLES);
    const text = end - start >= BURST_SAMPLES_MIN ? wordOf(core) : undefined;
    if (text) tones.push({ text, startMs: start / SAMPLES_PER_MS, endMs: end / SAMPLES_PER_MS });
    start = -1;
  }
  return tones;
};
