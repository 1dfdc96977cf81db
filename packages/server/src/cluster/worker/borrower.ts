// A gateway in the credit book of a worker.

export interface Borrower {
  /** Waiting windows of the tiers that this worker serves. */
  wanted: number;
  /** End of its service in virtual time; the gateway with the earliest end goes first. */
  finishMs: number;
  /** Breaks ties differently on every worker, so that idle credits are spread over the gateways. */
  readonly rank: string;
  /** proven: has spent a credit. idler: only let credits become void. On an open bus, anyone can announce a gateway. */
  standing: 'new' | 'proven' | 'idler';
  /** Number of its credits. */
  lent: number;
  running: number;
}

/** Waiting windows without a credit. */
export const missing = ({ wanted, lent }: Borrower): number => Math.max(0, wanted - lent);

export const isProven = ([, { standing }]: readonly [string, Borrower]): boolean => standing === 'proven';
