// Logs each server fault once, with the ids of the response and the usage row.
import type { Fault } from '../lib/fault.ts';
import type { Log } from './log.ts';

const logged = new WeakSet<Fault>();

/** Caller errors and refusals without a cause are not logged. */
export const logFault = (log: Pick<Log, 'error'>, fault: Fault, ids: Readonly<Record<string, unknown>>): void => {
  if (fault.httpStatus < 500 || fault.cause === undefined || logged.has(fault)) return;
  logged.add(fault);
  log.error({ ...ids, err: fault }, 'request failed');
};
