// A gateway as the credit book of a worker knows it.

export interface Borrower {
  /** Waiting windows of the tiers that we have. */
  wanted: number;
  /** End of its service in virtual time: the gateway with the earliest goes first. */
  finishMs: number;
  /** Breaks ties differently on every worker, so that idle credits are spread over gateways. */
  readonly rank: string;
  /** Whether it has spent a credit, or let one go void. Anybody can announce a gateway on an open bus. */
  standing: 'new' | 'proven' | 'idler';
  /** Its credits and leases. */
  lent: number;
  running: number;
}

/** Waiting windows without a credit. */
export const missing = ({ wanted, lent }: Borrower): number => Math.max(0, wanted - lent);

export const isProven = ([, { standing }]: readonly [string, Borrower]): boolean => standing === 'proven';
