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

export interface UsageRecordsTable {
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

export interface Schema {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  vocabulary_terms: VocabularyTermsTable;
  vocabulary_uses: VocabularyUsesTable;
  access_version: AccessVersionTable;
  usage_records: UsageRecordsTable;
  usage_daily: UsageDailyTable;
  stream_leases: StreamLeasesTable;
  people: PeopleTable;
  person_sessions: PersonSessionsTable;
  person_credentials: PersonCredentialsTable;
  memberships: MembershipsTable;
  welcome_links: WelcomeLinksTable;
  sign_in_attempts: SignInAttemptsTable;
  server_settings: ServerSettingsTable;
}

export type Database = Kysely<Schema>;
export type DatabaseTransaction = Transaction<Schema>;
