// Tables of people who sign in, their sessions, links and memberships.

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
