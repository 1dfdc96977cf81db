// When to try again, where the moment cannot be computed.

/** For a service that starts or stops, a full set of stream slots, a lost database: such states pass in seconds. */
export const RETRY_AFTER_SECONDS_DEFAULT = 5;
