// Timeouts between gateways and workers: well above network latency, well below what people notice.

/** Interval between the heartbeats of a gateway or worker. */
export const HEARTBEAT_MS = 500;
/** Large clusters space out routine heartbeats: by one more interval for every this many gateways or workers. */
const PARTIES_PER_HEARTBEAT = { gateways: 2, workers: 25 } as const;
const HEARTBEATS_APART_MAX = 40;

/** Interval between routine heartbeats in a cluster with this many gateways or workers. */
export const heartbeatFor = (kind: 'gateways' | 'workers', parties: number): number =>
  HEARTBEAT_MS * Math.max(1, Math.min(HEARTBEATS_APART_MAX, Math.floor(parties / PARTIES_PER_HEARTBEAT[kind])));

/** How late a heartbeat may be. */
export const LATE_MS = 1_000;

/** Allowed silence of a party that announced its next heartbeat in `nextMs`; at least `leastMs`. */
export const silenceMax = (nextMs: number | undefined, leastMs: number): number =>
  Math.max(leastMs, (nextMs ?? HEARTBEAT_MS) + LATE_MS);

/** The windows of a worker that is silent for this long are lost. */
export const WORKER_SILENT_MS = 2_000;
/** Limit for sending a window: on a bad network it may take longer than a lease. */
export const TRANSFER_MS = 5_000;
/** Drop a gateway after this much silence. Its heartbeats may queue behind its windows. */
export const GATEWAY_SILENT_MS = 4_000;
/** Recall a credit that is unused for this long when another gateway waits. */
export const RECALL_AFTER_MS = 20;
/** A recalled credit that is neither spent nor returned for this long is void. */
export const CREDIT_VOID_AFTER_MS = 250;
/** While known gateways wait, one that never spent a credit gets one this often. */
export const PROBATION_MS = 1_000;
/** A timer this late means that this process was suspended or busy: read pending messages before judging others. */
export const OWN_DELAY_MS = 400;
/** How long a worker that sends invalid answers gets no windows; doubles each time. */
export const DISTRUST_MS = { first: 2_000, longest: 300_000 } as const;
