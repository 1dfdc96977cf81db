// Turns on a native stream, for clients that request them: their parameters and their messages.
import type { StreamParameters, TurnMessage } from '@faircopy/contract';
import type { Turn, TurnStep, TurnThresholds } from '../../../calls/transcript.ts';
import { invalidRequest } from '../../../lib/fault.ts';
import { roundedProbability, secondsOf } from '../../../lib/rounding.ts';

const DEFAULTS = { threshold: 0.9, timeoutMs: 5_000 };
/** Short, because a pause does not end a turn: its words should be recognised by the time the turn is judged. */
export const TURN_ENDPOINTING_MS = 300;

const DETAILS = ['turn_threshold', 'turn_eager_threshold', 'turn_timeout_ms'] as const;
/** Cannot be combined with turns: speakers and channels are separated in whole recordings only. */
const EXCLUDED = ['speakers', 'channel_names'] as const;

/** Undefined when turns are not requested. */
export const turnThresholdsOf = (parameters: StreamParameters): TurnThresholds | undefined => {
  if (parameters.turns !== 'true') {
    const detail = DETAILS.find((name) => parameters[name] !== undefined);
    if (detail) throw invalidRequest(`The parameter "${detail}" needs "turns=true".`, detail);
    return undefined;
  }
  const excluded = EXCLUDED.find((name) => (parameters[name] ?? 'false') !== 'false');
  if (excluded) throw invalidRequest(`The parameter "${excluded}" cannot be combined with "turns".`, excluded);
  const { turn_threshold: end = DEFAULTS.threshold, turn_eager_threshold: eagerEnd = null } = parameters;
  if (eagerEnd !== null && eagerEnd > end)
    throw invalidRequest('"turn_eager_threshold" may not be above "turn_threshold".', 'turn_eager_threshold');
  return { end, eagerEnd, timeoutMs: parameters.turn_timeout_ms ?? DEFAULTS.timeoutMs };
};

const EVENTS: Readonly<Record<TurnStep, TurnMessage['event']>> = {
  started: 'started',
  updated: 'updated',
  eager_end: 'probably_ended',
  resumed: 'resumed',
  ended: 'ended',
};

/** Null for the end of a turn that never started. */
export const turnMessage = (step: TurnStep, turn: Turn): TurnMessage | null => {
  const { index, startMs, endMs, finals, interim, endProbability, hasStarted } = turn;
  if (!hasStarted) return null;
  const said = interim?.words.map(({ text }) => text.trim()).join(' ') ?? '';
  const transcript = [...finals.map((final) => final.transcript.text), said].filter((part) => part !== '').join(' ');
  return {
    type: 'turn',
    event: EVENTS[step],
    index,
    start_seconds: secondsOf(startMs),
    end_seconds: secondsOf(endMs),
    transcript,
    end_probability: roundedProbability(endProbability),
  };
};
