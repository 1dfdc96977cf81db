// The audit log of voices: who enrolled, compared, named, exported or deleted them, and when. It contains no names.
import { monotonicFactory } from 'ulid';
import type { Database } from '../../storage/schema.ts';

/** Keeps ids in order within a millisecond. */
const newId = monotonicFactory();

type VoiceAction = 'enrolled' | 'compared' | 'named' | 'exported' | 'deleted';

export interface VoiceActor {
  /** The id of an API key, `command line`, or `account closed`. */
  readonly actor: string;
  readonly requestId: string | null;
}

export interface VoiceEvent extends VoiceActor {
  readonly accountId: string;
  /** Null: all voices of the account. */
  readonly voiceId: string | null;
  readonly action: VoiceAction;
  /** Number of affected voices; 1 by default. */
  readonly voices?: number;
  readonly atMs: number;
}

export interface VoiceAuditEntry extends VoiceEvent {
  readonly id: string;
  readonly voices: number;
}

export interface VoiceAuditQuery {
  readonly accountId: string;
  readonly voiceId?: string | undefined;
  /** The page ends before the entry with this id. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export const recordVoiceEvents = async (db: Database, events: readonly VoiceEvent[]): Promise<void> => {
  if (events.length === 0) return;
  const rows = events.map(({ accountId, voiceId, action, voices = 1, actor, requestId, atMs }) => ({
    id: newId(atMs),
    account_id: accountId,
    voice_id: voiceId,
    action,
    voices,
    actor,
    request_id: requestId,
    at_ms: atMs,
  }));
  await db.insertInto('voice_audit').values(rows).execute();
};

/** Newest first. */
export const listVoiceEvents = async (
  db: Database,
  { accountId, voiceId, before, limit }: VoiceAuditQuery,
): Promise<VoiceAuditEntry[]> => {
  let query = db.selectFrom('voice_audit').selectAll().where('account_id', '=', accountId);
  if (voiceId !== undefined) query = query.where('voice_id', '=', voiceId);
  if (before !== undefined) query = query.where('id', '<', before);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    voiceId: row.voice_id,
    action: row.action as VoiceAction,
    voices: row.voices,
    actor: row.actor,
    requestId: row.request_id,
    atMs: Number(row.at_ms),
  }));
};

export const deleteVoiceEventsBefore = async (db: Database, atMs: number): Promise<void> => {
  await db.deleteFrom('voice_audit').where('at_ms', '<', atMs).execute();
};
