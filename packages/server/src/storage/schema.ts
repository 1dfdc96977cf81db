// The tables as TypeScript sees them. Both engines hold the same columns; times are milliseconds since the epoch.
import type { Kysely, Transaction } from 'kysely';

export interface AccountsTable {
  id: string;
  name: string;
  /** Null: the server's default holds. */
  max_streams: number | null;
  max_duration_seconds: number | null;
  max_uploads: number | null;
  max_waiting_seconds: number | null;
  refinement: string | null;
  created_at_ms: number;
  /** Its keys are revoked and nobody belongs to it any more; its ledger stays. */
  closed_at_ms: number | null;
}

export interface ApiKeysTable {
  id: string;
  account_id: string;
  name: string;
  /** The first characters of the key, so that people can tell keys apart. */
  prefix: string;
  /** SHA-256 of the whole key, in hex. The key itself is stored nowhere. */
  hash: string;
  created_at_ms: number;
  created_by: string | null;
  /** The person who made it in the console; it ends with their membership. */
  person_id: string | null;
  expires_at_ms: number | null;
  revoked_at_ms: number | null;
  /** Written lazily in batches; may lag by some seconds. */
  last_used_at_ms: number | null;
}

export interface VocabularyTermsTable {
  account_id: string;
  position: number;
  term: string;
}

/** What the account's own terms did, a day at a time: counts, never what was said around them. */
export interface VocabularyUsesTable {
  account_id: string;
  term: string;
  /** UTC, as YYYY-MM-DD. */
  day: string;
  /** How often it stands in transcripts. */
  written: number;
  /** How often refinement put it in the place of a near-miss. */
  mended: number;
}

/** One row; its number grows with every change that a node's cache of keys must notice. */
export interface AccessVersionTable {
  id: number;
  version: number;
}

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

/** Columns whose type differs between the engines are written and read by the sign-in library. */
type EngineTime = string | Date;
type EngineTruth = number | boolean;

export interface PeopleTable {
  id: string;
  name: string;
  /** Lower case. */
  email: string;
  email_verified: EngineTruth;
  image: string | null;
  is_administrator: EngineTruth;
  created_at: EngineTime;
  updated_at: EngineTime;
}

export interface PersonSessionsTable {
  id: string;
  person_id: string;
  /** SHA-256 of the token in the cookie. */
  token: string;
}

export interface PersonCredentialsTable {
  id: string;
  person_id: string;
  provider_id: string;
  provider_account_id: string;
  password_hash: string | null;
  created_at: EngineTime;
  updated_at: EngineTime;
}

export interface MembershipsTable {
  account_id: string;
  person_id: string;
  role: string;
  since_ms: number;
}

export interface WelcomeLinksTable {
  id: string;
  /** SHA-256 of the token in the link, in hex. */
  token_hash: string;
  purpose: string;
  account_id: string | null;
  role: string;
  /** Lower case; null: whoever has the link. */
  email: string | null;
  created_at_ms: number;
  expires_at_ms: number | null;
  used_at_ms: number | null;
  /** Whose password it resets; null for invitations. */
  person_id: string | null;
}

/** Attempts per key; `last_request` is when the window that is counted began. */
export interface SignInAttemptsTable {
  id: string;
  key: string;
  count: number;
  last_request: number;
}

export interface ServerSettingsTable {
  name: string;
  value: string;
}

/** The server processes that are alive: each renews its row, and whatever it holds is its own while it does. */
export interface ServerProcessesTable {
  id: string;
  /** The place it runs at; a new process there knows that the old one is gone. */
  node: string;
  expires_at_ms: number;
}

export interface IdempotencyKeysTable {
  /** Of the API key's id and the caller's key together. */
  hash: string;
  account_id: string;
  /** Of the request that a retry stands for, and of its row in the ledger. */
  request_id: string;
  /** The process that works on it; null when it is done. */
  holder_id: string | null;
  /** Of the body, keyed with the caller's API key; null until the body is here. */
  fingerprint: string | null;
  /** Sealed with a key made from the caller's API key. Null where answers are kept in memory only. */
  answer: Uint8Array | null;
  answer_bytes: number;
  expires_at_ms: number;
}

export interface JobsTable {
  /** Also the request id of its row in the ledger. */
  id: string;
  account_id: string;
  key_id: string;
  state: string;
  model: string;
  /** What is asked, with the address of the webhook: sealed with the server's secret. */
  sealed_request: Uint8Array;
  /** Results are sealed for whoever has the caller's API key. */
  caller_public_key: Uint8Array;
  audio_bytes: number;
  attempts: number;
  /** The process that receives it or works on it. */
  holder_id: string | null;
  /** Not to be begun earlier. */
  due_at_ms: number;
  created_at_ms: number;
  started_at_ms: number | null;
  ended_at_ms: number | null;
  /** When everything about it is deleted. */
  expires_at_ms: number;
  error_code: string | null;
  error_message: string | null;
  sealed_result: Uint8Array | null;
  idempotency_hash: string | null;
  fingerprint: string | null;
  /** Null when there is no webhook. */
  webhook_state: string | null;
  webhook_attempts: number;
  webhook_due_at_ms: number | null;
  /** When it is given up. */
  webhook_until_ms: number | null;
  webhook_fault: string | null;
  /** What is sent, sealed with the server's secret, until it has arrived. */
  sealed_webhook: Uint8Array | null;
}

/** The file of a job in parts, sealed with the server's secret, until the job ends. */
export interface JobAudioTable {
  job_id: string;
  part: number;
  sealed: Uint8Array;
}

export interface Schema {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  vocabulary_terms: VocabularyTermsTable;
  vocabulary_uses: VocabularyUsesTable;
  access_version: AccessVersionTable;
  usage_records: UsageRecordsTable;
  /** Rows that were withdrawn from usage_records; their links stay. */
  usage_withdrawn: UsageRecordsTable;
  usage_chains: UsageChainsTable;
  receipt_keys: ReceiptKeysTable;
  budgets: BudgetsTable;
  budget_spending: BudgetSpendingTable;
  usage_daily: UsageDailyTable;
  stream_leases: StreamLeasesTable;
  people: PeopleTable;
  person_sessions: PersonSessionsTable;
  person_credentials: PersonCredentialsTable;
  memberships: MembershipsTable;
  welcome_links: WelcomeLinksTable;
  sign_in_attempts: SignInAttemptsTable;
  server_settings: ServerSettingsTable;
  server_processes: ServerProcessesTable;
  idempotency_keys: IdempotencyKeysTable;
  jobs: JobsTable;
  job_audio: JobAudioTable;
}

export type Database = Kysely<Schema>;
export type DatabaseTransaction = Transaction<Schema>;
