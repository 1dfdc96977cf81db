// Tables of the ledger, its chains, budgets, receipts and stream leases.

/** What a request used: the part of a row that its call decides. */
export interface UsageRow {
  request_id: string;
  account_id: string;
  key_id: string | null;
  mode: string;
  model: string | null;
  status: string;
  /** Whole microseconds, so that sums are exact in any order. */
  audio_us: number;
  billed_ms: number;
  output_token_count: number;
  detected_language: string | null;
  receive_ms: number | null;
  recognition_ms: number | null;
  refinement_ms: number | null;
  refinement_fallback: string | null;
  /** The longest that a window of it waited for a recogniser. */
  queue_ms: number | null;
  /** What the caller was told when it failed. */
  error_message: string | null;
  created_at_ms: number;
}

export interface UsageRecordsTable extends UsageRow {
  /** Its place in the chain of its account, from 1. 0: sealed by the first link. Null: written by an older release. */
  chain_seq: number | null;
  /** The link's hash; null where it has none of its own. */
  chain_hash: string | null;
  /** The link that this one stands in for, when the request was recorded before and withdrawn. */
  replaces_seq: number | null;
}

/** Where each account's chain ends. Whoever adds to a chain holds this row locked. */
export interface UsageChainsTable {
  account_id: string;
  /** Of the last link; 0 while there is only the first one. */
  seq: number;
  hash: string;
  /** Of the first link, which seals the rows that are older than the chain. */
  first_hash: string;
  sealed_rows: number;
  /** 1 when the account or one of its keys has a budget, against which its rows are counted. */
  has_budgets: number;
}

/** Budgets of accounts, where the key is the empty string, and of keys. */
export interface BudgetsTable {
  account_id: string;
  key_id: string;
  day_ms: number | null;
  month_ms: number | null;
  warn_percent: number;
  /** 1 when requests are refused once it is used up. */
  stops: number;
}

/** What was billed against a budget in a day or month; kept by the transaction that writes the rows. */
export interface BudgetSpendingTable {
  account_id: string;
  key_id: string;
  /** UTC: a day as YYYY-MM-DD, or a month as YYYY-MM. */
  period: string;
  billed_ms: number;
  warned_at_ms: number | null;
}

export interface ReceiptKeysTable {
  /** The thumbprint of the public half. */
  id: string;
  /** Both halves of the Ed25519 key in base64url; the private one is gone once the key is retired. */
  public_x: string;
  private_d: string | null;
  created_at_ms: number;
  retired_at_ms: number | null;
}

/** Sums of usage_records, kept in the same transaction as the rows. Absent model or key is the empty string. */
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

export interface StreamLeasesTable {
  id: string;
  account_id: string;
  /** The server process that holds the slot. */
  holder_id: string;
  /** The place that process runs at; a new process there knows that the old one is gone. */
  node: string;
  expires_at_ms: number;
}
