// The Retry-After value that is sent when none can be computed.

/** For short-lived conditions such as starts, stops, full stream slots and a lost database. */
export const RETRY_AFTER_SECONDS_DEFAULT = 5;
