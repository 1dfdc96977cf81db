// Tables of accounts, API keys and vocabularies.

export interface AccountsTable {
  id: string;
  name: string;
  /** Null: the server's default applies. Same for the limits below. */
  max_streams: number | null;
  max_duration_seconds: number | null;
  max_uploads: number | null;
  max_waiting_seconds: number | null;
  refinement: string | null;
  /** The redactions that apply to all requests: comma-separated names. */
  redaction: string | null;
  /** The languages that the account is limited to: comma-separated codes. */
  languages: string | null;
  created_at_ms: number;
  /** When the account was closed, which revokes its keys and keeps its ledger. */
  closed_at_ms: number | null;
}

export interface ApiKeysTable {
  id: string;
  account_id: string;
  name: string;
  /** The first characters of the key, shown in lists. */
  prefix: string;
  /** SHA-256 of the key, in hex. The key itself is not stored. */
  hash: string;
  created_at_ms: number;
  created_by: string | null;
  /** The person who created the key in the console. It is revoked when their access to the account ends. */
  person_id: string | null;
  expires_at_ms: number | null;
  revoked_at_ms: number | null;
  /** Written in batches, some seconds late. */
  last_used_at_ms: number | null;
  /** Verifies client secrets; null until the key has created one. */
  client_public_key: string | null;
  /** What the key may do, as JSON. Null: everything that its account may do. */
  rules: string | null;
}

export interface VocabularyTermsTable {
  account_id: string;
  position: number;
  term: string;
  /** How often a person removed the term from a transcript. */
  false_alarms: number;
}

/** How often each vocabulary term occurred, per day. Holds counts only, no text. */
export interface VocabularyUsesTable {
  account_id: string;
  term: string;
  /** UTC, as YYYY-MM-DD. */
  day: string;
  /** Occurrences in transcripts. */
  written: number;
  /** Occurrences where refinement replaced a near miss with the term. */
  mended: number;
}

/** A single row; see access-version.ts. */
export interface AccessVersionTable {
  id: number;
  version: number;
}
