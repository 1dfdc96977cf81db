// Request ids: ULIDs that sort by time, also within one millisecond.
import { monotonicFactory } from 'ulid';

export const newRequestId: () => string = (() => {
  const next = monotonicFactory();
  return () => next();
})();
