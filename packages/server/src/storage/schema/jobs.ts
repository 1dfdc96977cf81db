// Tables of server processes, idempotency keys and jobs.

/** Live server processes. Each process renews its row, and keeps what it holds until the row expires. */
export interface ServerProcessesTable {
  id: string;
  /** The node's name. A new process with this name deletes the row of the old one. */
  node: string;
  expires_at_ms: number;
}

export interface IdempotencyKeysTable {
  /** A hash of the API key's id and the idempotency key. */
  hash: string;
  account_id: string;
  /** The first request with this key, and the id of its usage record. */
  request_id: string;
  /** The process that handles the request; null when it is done. */
  holder_id: string | null;
  /** A hash of the body, keyed with the API key; null until the body has arrived. */
  fingerprint: string | null;
  /** Encrypted with a key derived from the caller's API key. Null if answers are kept in memory only. */
  answer: Uint8Array | null;
  answer_bytes: number;
  expires_at_ms: number;
}

export interface JobsTable {
  /** Also the request id of its usage record. */
  id: string;
  account_id: string;
  key_id: string;
  state: string;
  model: string;
  /** The options and the webhook's URL, encrypted with the server's secret. */
  sealed_request: Uint8Array;
  /** Results are encrypted to this key, which derives from the caller's API key. */
  caller_public_key: Uint8Array;
  audio_bytes: number;
  attempts: number;
  /** The process that receives or runs the job. */
  holder_id: string | null;
  /** Earliest start. */
  due_at_ms: number;
  created_at_ms: number;
  started_at_ms: number | null;
  ended_at_ms: number | null;
  /** When the job is deleted. */
  expires_at_ms: number;
  error_code: string | null;
  error_message: string | null;
  sealed_result: Uint8Array | null;
  idempotency_hash: string | null;
  fingerprint: string | null;
  /** Null if there is no webhook. */
  webhook_state: string | null;
  webhook_attempts: number;
  webhook_due_at_ms: number | null;
  /** When delivery attempts end. */
  webhook_until_ms: number | null;
  webhook_fault: string | null;
  /** The payload, encrypted with the server's secret; deleted after delivery. */
  sealed_webhook: Uint8Array | null;
}

/** The audio file of a job in parts, encrypted with the server's secret; deleted when the job ends. */
export interface JobAudioTable {
  job_id: string;
  part: number;
  sealed: Uint8Array;
}
