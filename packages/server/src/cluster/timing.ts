// The times by which gateways and workers know of each other. All are far above what a network takes, and far below what people notice.

/** Between two signs of life of a gateway or worker. */
export const BEAT_MS = 500;
/** A worker that is silent for so long has lost what it worked on; so has one that no longer lists a window. */
export const LEASE_MS = 2_000;
/** A window on its way to a worker: on a bad network it may take longer than a lease. */
export const TRANSFER_MS = 5_000;
/** A gateway that is silent for so long is gone, and wants nothing any more. Its beats may queue behind its own windows. */
export const GATEWAY_SILENT_MS = 4_000;
/** A credit that lies unused for so long is asked back when another gateway waits. */
export const RECALL_AFTER_MS = 20;
/** A timer that is later than this says that we were stopped or busy: others cannot be judged until we have listened. */
export const OWN_LAG_MS = 400;
/** A worker that answered nonsense gets no windows for so long, twice as long each time. */
export const DISTRUST_MS = { first: 2_000, longest: 300_000 } as const;
