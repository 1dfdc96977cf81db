// Tables of enrolled voices and their audit log.

export interface VoicePrintsTable {
  id: string;
  account_id: string;
  /** The person's name, as the caller wrote it. */
  name: string;
  /** The embedding model. Prints of different models cannot be compared. */
  model: string;
  /** The print, encrypted with the server's secret. */
  sealed: Uint8Array;
  /** Amount of speech in the enrolment. */
  speech_ms: number;
  created_at_ms: number;
  /** Who confirmed the person's consent, as in `voice_audit`. */
  created_by: string;
}

/** The audit log. It holds no names and no voice data. */
export interface VoiceAuditTable {
  id: string;
  account_id: string;
  /** Null if the entry is about all voices of the account. */
  voice_id: string | null;
  action: string;
  /** How many voices the entry is about. */
  voices: number;
  /** The id of an API key, or `command line`. */
  actor: string;
  request_id: string | null;
  at_ms: number;
}
