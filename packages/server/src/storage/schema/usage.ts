// Tables of the ledger, its chains, budgets, receipts and stream leases.

/** The columns of a usage record that the call sets. */
export interface UsageRow {
  request_id: string;
  account_id: string;
  key_id: string | null;
  mode: string;
  model: string | null;
  status: string;
  /** Whole microseconds, so that sums are exact. */
  audio_us: number;
  billed_ms: number;
  output_token_count: number;
  detected_language: string | null;
  receive_ms: number | null;
  recognition_ms: number | null;
  refinement_ms: number | null;
  refinement_fallback: string | null;
  /** The longest time that a window of the request waited for a recogniser. */
  queue_ms: number | null;
  /** The error message that the caller received. */
  error_message: string | null;
  /** `reduced` if later windows got fewer readings, so that the response came in time. */
  effort: string | null;
  /** A JSON array; null without tags. */
  tags: string | null;
  created_at_ms: number;
}

export interface UsageRecordsTable extends UsageRow {
  /** The position in the account's chain, from 1. 0: covered by the first link. Null: written by an older release. */
  chain_seq: number | null;
  /** Null if the row has no link of its own. */
  chain_hash: string | null;
  /** The link of the withdrawn row that this row replaces. */
  replaces_seq: number | null;
}

/** The end of each account's chain. Lock this row before appending to the chain. */
export interface UsageChainsTable {
  account_id: string;
  /** The position of the last link; 0 if there is only the first link. */
  seq: number;
  hash: string;
  /** The hash of the first link, which covers the rows written before the chain existed. */
  first_hash: string;
  /** The number of rows that the first link covers. */
  sealed_rows: number;
  /** 1 if the account or one of its keys has a budget that was set in this database. */
  has_budgets: number;
  /** The position of the last archived link; rows up to it are ignored and removed. 0 if nothing is archived. */
  archived_seq: number;
  /** The hash of the last archived link. */
  archived_hash: string | null;
}

/** Budgets of accounts (`key_id` is empty) and of keys. */
export interface BudgetsTable {
  account_id: string;
  key_id: string;
  day_ms: number | null;
  month_ms: number | null;
  warn_percent: number;
  /** 1 if requests are refused once the budget is used up. */
  stops: number;
}

/** The time billed against a budget in a day or month, updated in the same transaction as the ledger. */
export interface BudgetSpendingTable {
  account_id: string;
  key_id: string;
  /** UTC: a day as YYYY-MM-DD, or a month as YYYY-MM. */
  period: string;
  billed_ms: number;
  warned_at_ms: number | null;
}

export interface ReceiptKeysTable {
  /** The thumbprint of the public key. */
  id: string;
  /** The Ed25519 key pair in base64url. The private key is deleted when the key is retired. */
  public_x: string;
  private_d: string | null;
  created_at_ms: number;
  retired_at_ms: number | null;
}

/** Sums of usage_records, updated in the same transaction. A missing model or key is the empty string. */
export interface UsageDailyTable {
  account_id: string;
  /** UTC, as YYYY-MM-DD. */
  day: string;
  mode: string;
  model: string;
  key_id: string;
  status: string;
  requests: number;
  audio_us: number;
  billed_ms: number;
  output_token_count: number;
}

/** Which requests have a tag, newest last. */
export interface UsageTagsTable {
  account_id: string;
  tag: string;
  created_at_ms: number;
  request_id: string;
}

/** Sums of the requests with a tag, updated like `usage_daily`. */
export interface UsageTagDailyTable extends UsageDailyTable {
  tag: string;
}

export interface StreamLeasesTable {
  id: string;
  account_id: string;
  /** The server process that holds the slot. */
  holder_id: string;
  /** The node's name. A new process with this name drops the leases of the old one. */
  node: string;
  expires_at_ms: number;
}
