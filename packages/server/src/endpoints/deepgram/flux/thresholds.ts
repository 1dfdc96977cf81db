// Thresholds for the end of a turn, from the query and from `Configure`, which changes them during the session.
import type { TurnThresholds } from '../../../calls/transcript.ts';
import { invalidRequest } from '../../../lib/fault.ts';

interface Range {
  readonly min: number;
  readonly max: number;
}

const EAGER: Range = { min: 0.3, max: 0.9 };
const END: Range = { min: 0.5, max: 0.9 };
const TIMEOUT_MS: Range = { min: 500, max: 10_000 };
const DEFAULTS: TurnThresholds = { end: 0.7, eagerEnd: null, timeoutMs: 5_000 };

/** Maps Deepgram's default threshold of 0.7 to the model's 0.913, which gives 5 % false ends. */
const SCALE = Math.log(0.7) / Math.log(0.913);

/** Converts a probability of the model to Deepgram's confidence. */
export const confidenceOf = (probability: number): number => probability ** SCALE;

/** Converts Deepgram's thresholds to probabilities of the model. */
export const forModel = ({ end, eagerEnd, timeoutMs }: TurnThresholds): TurnThresholds => ({
  end: end ** (1 / SCALE),
  eagerEnd: eagerEnd === null ? null : eagerEnd ** (1 / SCALE),
  timeoutMs,
});

/** Deepgram's names of the three values. */
const NAMES = { eagerEnd: 'eager_eot_threshold', end: 'eot_threshold', timeoutMs: 'eot_timeout_ms' } as const;

const within = (value: unknown, { min, max }: Range, name: string): number => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof number === 'number' && number >= min && number <= max) return number;
  throw invalidRequest(`"${name}" must be a number from ${min} to ${max}.`, name);
};

/** Returns `before` with the given changes. Throws when one is out of range or the eager threshold is higher. */
export const withThresholds = (
  given: Readonly<Record<string, unknown>>,
  before: TurnThresholds = DEFAULTS,
): TurnThresholds => {
  const { [NAMES.eagerEnd]: eager, [NAMES.end]: end, [NAMES.timeoutMs]: timeout } = given;
  const next = {
    eagerEnd: eager === undefined || eager === null ? before.eagerEnd : within(eager, EAGER, NAMES.eagerEnd),
    end: end === undefined || end === null ? before.end : within(end, END, NAMES.end),
    timeoutMs:
      timeout === undefined || timeout === null ? before.timeoutMs : within(timeout, TIMEOUT_MS, NAMES.timeoutMs),
  };
  if (next.eagerEnd !== null && next.eagerEnd > next.end)
    throw invalidRequest(`"${NAMES.eagerEnd}" may not be above "${NAMES.end}".`, NAMES.eagerEnd);
  return next;
};

export const shownThresholds = ({ eagerEnd, end, timeoutMs }: TurnThresholds) => ({
  ...(eagerEnd !== null && { [NAMES.eagerEnd]: eagerEnd }),
  [NAMES.end]: end,
  [NAMES.timeoutMs]: timeoutMs,
});
