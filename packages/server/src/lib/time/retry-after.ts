// Retry-After when it cannot be computed.

/** For starts, stops, full stream slots and a lost database, which pass in seconds. */
export const RETRY_AFTER_SECONDS_DEFAULT = 5;
