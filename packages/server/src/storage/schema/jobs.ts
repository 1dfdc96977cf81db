// Tables of server processes, idempotency keys and jobs.

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
