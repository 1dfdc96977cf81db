// Tables of accounts, API keys and vocabularies.

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
