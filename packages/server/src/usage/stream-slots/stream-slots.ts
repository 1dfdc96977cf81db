// Open streams per account, as leases: a slot comes back by release, or by itself when its holder is gone.

export interface StreamSlot {
  /** Gives the slot back. Safe to call more than once. */
  release(): Promise<void>;
  /** Whether the account's older slots, over all nodes, fill this limit already. */
  isBeyond(limit: number): Promise<boolean>;
}

export interface SlotAnswer {
  readonly slot: StreamSlot | null;
  readonly limit: number;
  /** Slots still free after this answer. */
  readonly remaining: number;
}

export interface StreamSlots {
  acquire(accountId: string, limit: number): Promise<SlotAnswer>;
  /** How many the account holds now, over all nodes. */
  taken(accountId: string): Promise<number>;
}
