// Logs what failed on our side: once, with the ids that the answer and the usage row carry.
import type { Fault } from '../lib/fault.ts';
import type { Log } from './log.ts';

const logged = new WeakSet<Fault>();

/** Faults of the caller, and refusals without a cause, are no news to an operator. */
export const logFault = (log: Pick<Log, 'error'>, fault: Fault, ids: Readonly<Record<string, unknown>>): void => {
  if (fault.httpStatus < 500 || fault.cause === undefined || logged.has(fault)) return;
  logged.add(fault);
  log.error({ ...ids, err: fault }, 'request failed');
};
