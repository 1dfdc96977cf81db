// Tables of people who sign in, their sessions, links and memberships.

/** Types that the sign-in library stores differently on each engine. */
type EngineTime = string | Date;
type EngineBoolean = number | boolean;

export interface PeopleTable {
  id: string;
  name: string;
  /** Lower case. */
  email: string;
  email_verified: EngineBoolean;
  image: string | null;
  is_administrator: EngineBoolean;
  created_at: EngineTime;
  updated_at: EngineTime;
}

export interface PersonSessionsTable {
  id: string;
  person_id: string;
  /** SHA-256 of the token in the cookie. */
  token: string;
  ip_address: string | null;
  user_agent: string | null;
  created_at: EngineTime;
  updated_at: EngineTime;
  expires_at: EngineTime;
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
  /** Lower case; null: anyone with the link may use it. */
  email: string | null;
  created_at_ms: number;
  expires_at_ms: number | null;
  used_at_ms: number | null;
  /** The person whose password the link resets; null for invitations. */
  person_id: string | null;
  /** The node that created a first-start link; null for other links. */
  node: string | null;
}

/** Attempts per key. `last_request` is the start of the current window; the sign-in library chose the name. */
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
