// Voice prints of accounts: stored encrypted, listed without the print, deleted at once. Every use is recorded.
import { VOICE_LIMITS } from '@faircopy/contract';
import { ulid } from 'ulid';
import { Fault } from '../../lib/fault.ts';
import { SealBroken, seal, unseal } from '../../lib/sealed.ts';
import { lockNames } from '../../storage/engine.ts';
import type { Storage } from '../../storage/open.ts';
import type { VoicePrintsTable } from '../../storage/schema/voices.ts';
import type { Database, DatabaseTransaction } from '../../storage/schema.ts';
import { orUnavailable } from '../../storage/unavailable.ts';
import { accountById, requireOpen } from '../accounts.ts';
import { checkedName } from '../checked-name.ts';
import { keysLock } from '../keys/keys.ts';
import { deleteVoiceEventsBefore, recordVoiceEvents, type VoiceActor, type VoiceEvent } from './voice-audit.ts';

const { voicesMax: VOICES_MAX, nameCharactersMax: NAME_CHARACTERS_MAX } = VOICE_LIMITS;

export interface VoiceListing {
  readonly id: string;
  readonly name: string;
  readonly model: string;
  readonly speechSeconds: number;
  readonly createdAtMs: number;
  readonly createdBy: string;
}

/** Derived from the audio of the enrolment, which is not kept. */
export interface PrintedVoice {
  readonly embedding: Float32Array;
  /** Whether the enrolment had telephone bandwidth. */
  readonly isNarrowBand: boolean;
}

export interface StoredVoice extends VoiceListing, PrintedVoice {}

export interface NewVoice extends PrintedVoice {
  readonly name: string;
  readonly model: string;
  readonly speechSeconds: number;
}

export interface VoicePrintsParts {
  readonly storage: Storage;
  readonly secret: string;
  readonly auditDays: number;
  readonly now?: () => number;
}

const DAY_MS = 24 * 60 * 60_000;
const CLEANUP_MS = 60 * 60_000;

/** Binds a print to its voice and account: moved to another one, it cannot be decrypted. */
const purposeOf = (accountId: string, id: string): string => `voice print ${id} of ${accountId}`;

export const checkedVoiceName = (name: string): string =>
  checkedName('The name of a voice', name, NAME_CHARACTERS_MAX).trim();

export const noSuchVoice = (): Fault => new Fault('NOT_FOUND', { message: 'There is no such voice.' });

export class VoicePrints {
  readonly #parts: VoicePrintsParts;
  #cleanedAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: VoicePrintsParts) {
    this.#parts = parts;
  }

  /** Throws CONFLICT if the account has reached the limit of voices, or is closed: a request may outlive its account. */
  async add(accountId: string, voice: NewVoice, by: VoiceActor): Promise<VoiceListing> {
    const { storage, secret } = this.#parts;
    const name = checkedVoiceName(voice.name);
    const atMs = this.#now();
    const id = ulid(atMs);
    const row: VoicePrintsTable = {
      id,
      account_id: accountId,
      name,
      model: voice.model,
      sealed: seal(secret, purposeOf(accountId, id), packed(voice)),
      speech_ms: Math.round(voice.speechSeconds * 1_000),
      created_at_ms: atMs,
      created_by: by.actor,
    };
    const added = storage.write.transaction().execute(async (trx) => {
      await lockNames(storage.engine, trx, [keysLock(accountId)]);
      requireOpen(await accountById(trx, accountId));
      await this.#requireRoom(trx, accountId);
      await trx.insertInto('voice_prints').values(row).execute();
      await this.#record(trx, [{ accountId, voiceId: id, action: 'enrolled', atMs, ...by }]);
    });
    await orUnavailable(added);
    return listingOf(row);
  }

  /** Throws CONFLICT if the account has reached the limit of voices, before the caller sends audio. */
  requireRoom(accountId: string): Promise<void> {
    return orUnavailable(this.#requireRoom(this.#parts.storage.read, accountId));
  }

  /** Oldest first. */
  async list(accountId: string): Promise<VoiceListing[]> {
    const rows = await this.#parts.storage.read
      .selectFrom('voice_prints')
      .select(['id', 'account_id', 'name', 'model', 'speech_ms', 'created_at_ms', 'created_by'])
      .where('account_id', '=', accountId)
      .orderBy('id')
      .execute();
    return rows.map(listingOf);
  }

  /** Throws NOT_FOUND for a voice of another account. */
  async export(accountId: string, id: string, by: VoiceActor): Promise<StoredVoice> {
    const row = await this.#parts.storage.read
      .selectFrom('voice_prints')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) throw noSuchVoice();
    const voice = this.#opened(row);
    if (!voice)
      throw new Fault('CONFLICT', { message: 'The voice print was made with another FAIRCOPY_VOICES_SECRET.' });
    const event = { accountId, voiceId: id, action: 'exported', atMs: this.#now(), ...by } as const;
    await this.#record(this.#parts.storage.write, [event]);
    return voice;
  }

  /** Throws NOT_FOUND for a voice of another account. */
  async delete(accountId: string, id: string, by: VoiceActor): Promise<void> {
    const { storage } = this.#parts;
    await storage.write.transaction().execute(async (trx) => {
      const { numDeletedRows } = await trx
        .deleteFrom('voice_prints')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) throw noSuchVoice();
      await this.#record(trx, [{ accountId, voiceId: id, action: 'deleted', atMs: this.#now(), ...by }]);
    });
  }

  /** The voices that a model can compare, and the number made by other models. Omits prints of another secret. */
  async printsFor(
    accountId: string,
    model: string,
  ): Promise<{ readonly voices: readonly StoredVoice[]; readonly others: number }> {
    const found = this.#parts.storage.read
      .selectFrom('voice_prints')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('id')
      .limit(VOICES_MAX)
      .execute();
    const rows = await orUnavailable(found);
    const own = rows.filter((row) => row.model === model);
    return { voices: own.flatMap((row) => this.#opened(row) ?? []), others: rows.length - own.length };
  }

  /** Records that a request compares its speakers with this many voices. */
  async recordCompared(accountId: string, voices: number, by: VoiceActor): Promise<void> {
    const event = { accountId, voiceId: null, action: 'compared', voices, atMs: this.#now(), ...by } as const;
    await orUnavailable(this.#record(this.#parts.storage.write, [event]));
  }

  /** Records which voices a request named. */
  async recordNamed(accountId: string, voiceIds: readonly string[], by: VoiceActor): Promise<void> {
    const atMs = this.#now();
    const events = voiceIds.map((voiceId) => ({ accountId, voiceId, action: 'named', atMs, ...by }) as const);
    if (events.length > 0) await this.#record(this.#parts.storage.write, events);
  }

  #now(): number {
    return (this.#parts.now ?? Date.now)();
  }

  #opened(row: VoicePrintsTable): StoredVoice | null {
    try {
      const plain = unseal(this.#parts.secret, purposeOf(row.account_id, row.id), row.sealed);
      return { ...listingOf(row), ...unpacked(plain) };
    } catch (thrown) {
      if (thrown instanceof SealBroken) return null;
      throw thrown;
    }
  }

  async #requireRoom(db: Database, accountId: string): Promise<void> {
    const { count } = await db
      .selectFrom('voice_prints')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= VOICES_MAX)
      throw new Fault('CONFLICT', { message: `The account has ${VOICES_MAX} voices, which is the limit.` });
  }

  async #record(db: Database | DatabaseTransaction, events: readonly VoiceEvent[]): Promise<void> {
    await recordVoiceEvents(db, events);
    const nowMs = this.#now();
    if (nowMs - this.#cleanedAtMs < CLEANUP_MS) return;
    this.#cleanedAtMs = nowMs;
    await deleteVoiceEventsBefore(db, nowMs - this.#parts.auditDays * DAY_MS);
  }
}

/** Deletes all voices of an account that is being closed. */
export const deleteVoicesOf = async (
  trx: DatabaseTransaction,
  accountId: string,
  by: VoiceActor & { atMs: number },
) => {
  const { numDeletedRows } = await trx
    .deleteFrom('voice_prints')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return;
  await recordVoiceEvents(trx, [
    { accountId, voiceId: null, action: 'deleted', voices: Number(numDeletedRows), ...by },
  ]);
};

const listingOf = (row: Omit<VoicePrintsTable, 'sealed'>): VoiceListing => ({
  id: row.id,
  name: row.name,
  model: row.model,
  speechSeconds: row.speech_ms / 1_000,
  createdAtMs: Number(row.created_at_ms),
  createdBy: row.created_by,
});

/** One byte for the band, then the embedding as little-endian floats. */
const packed = ({ embedding, isNarrowBand }: PrintedVoice): Buffer => {
  const bytes = Buffer.alloc(1 + 4 * embedding.length);
  bytes[0] = isNarrowBand ? 1 : 0;
  embedding.forEach((value, index) => {
    bytes.writeFloatLE(value, 1 + 4 * index);
  });
  return bytes;
};

const unpacked = (bytes: Buffer): PrintedVoice => ({
  isNarrowBand: bytes[0] === 1,
  embedding: Float32Array.from({ length: (bytes.length - 1) / 4 }, (_, index) => bytes.readFloatLE(1 + 4 * index)),
});
