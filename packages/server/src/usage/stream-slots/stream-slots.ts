// The port for stream slots: limits the open streams per account.

export interface StreamSlot {
  /** Safe to call more than once. */
  release(): Promise<void>;
  /** Whether the account's older slots, on all nodes, already reach this limit. */
  exceeds(limit: number): Promise<boolean>;
}

export interface SlotResult {
  /** Null if the limit is reached. */
  readonly slot: StreamSlot | null;
  readonly limit: number;
  /** Free slots after this call. */
  readonly remaining: number;
}

export interface StreamSlots {
  acquire(accountId: string, limit: number): Promise<SlotResult>;
  /** The account's slots in use, on all nodes. */
  taken(accountId: string): Promise<number>;
}
