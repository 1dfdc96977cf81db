// A gateway in the credit book of a worker.

export interface Borrower {
  /** Waiting windows of the tiers that this worker serves. */
  wanted: number;
  /** Waiting background windows of these tiers. */
  background: number;
  /** End of its service in virtual time; the gateway with the earliest end goes first. */
  finishMs: number;
  /** Breaks ties differently on every worker, so that idle credits are spread over the gateways. */
  readonly rank: string;
  /** proven: has spent a credit. idler: only let credits become void. On an open bus, anyone can announce a gateway. */
  standing: 'new' | 'proven' | 'idler';
  /** Number of its credits. */
  lent: number;
  /** Number of its credits that were recalled. */
  recalled: number;
  running: number;
}

/** Waiting windows without a credit. */
export const missing = ({ wanted, lent }: Borrower): number => Math.max(0, wanted - lent);

/** The same with background windows. */
export const missingInBackground = ({ wanted, background, lent }: Borrower): number =>
  background === 0 ? 0 : Math.max(0, wanted + background - lent);

/** Whether it has more credits than waiting windows of any kind. */
export const hasSpare = ({ wanted, background, lent, recalled }: Borrower): boolean =>
  lent - recalled > wanted + background;

export const isProven = ([, { standing }]: readonly [string, Borrower]): boolean => standing === 'proven';
