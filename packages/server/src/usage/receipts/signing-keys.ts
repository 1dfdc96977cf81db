// The keys that sign receipts: made when first needed, the same on every node, replaced by rotation, published for ever.
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import type { PublicKey, PublicKeySet } from '@faircopy/contract';
import { cachedFor } from '../../lib/time/cached-for.ts';
import { lockNames } from '../../storage/engine.ts';
import type { Storage } from '../../storage/open.ts';
import type { ReceiptKeysTable } from '../../storage/schema/usage.ts';
import type { Database, DatabaseTransaction } from '../../storage/schema.ts';
import { type Jwk, keyIdOf, type SigningKey, signJws } from './jws.ts';

/** A key that was replaced on another node may sign for this much longer; it stays published, so nobody minds. */
const KEPT_MS = 5_000;

export class ReceiptSigner {
  readonly #current: () => Promise<SigningKey>;
  readonly #published: () => Promise<PublicKeySet>;

  constructor(storage: Storage) {
    this.#current = cachedFor(KEPT_MS, () => currentKey(storage));
    this.#published = cachedFor(KEPT_MS, async () => {
      await currentKey(storage);
      return publicKeys(storage.read);
    });
  }

  async sign(typ: string, payload: unknown): Promise<string> {
    return signJws(typ, payload, await this.#current());
  }

  published(): Promise<PublicKeySet> {
    return this.#published();
  }
}

const jwkOf = ({ public_x }: Pick<ReceiptKeysTable, 'public_x'>): Jwk => ({ kty: 'OKP', crv: 'Ed25519', x: public_x });

/** Every key there ever was, the newest first: old receipts stay checkable. */
export const listKeys = (db: Database): Promise<Omit<ReceiptKeysTable, 'private_d'>[]> =>
  db
    .selectFrom('receipt_keys')
    .select(['id', 'public_x', 'created_at_ms', 'retired_at_ms'])
    .orderBy('created_at_ms', 'desc')
    .orderBy('id')
    .execute();

export const publicKeys = async (db: Database): Promise<PublicKeySet> => ({
  keys: (await listKeys(db)).map((key): PublicKey => ({ ...jwkOf(key), kid: key.id, alg: 'EdDSA', use: 'sig' })),
});

const activeKey = async (db: Database | DatabaseTransaction): Promise<SigningKey | null> => {
  const row = await db.selectFrom('receipt_keys').selectAll().where('retired_at_ms', 'is', null).executeTakeFirst();
  if (!row?.private_d) return null;
  const jwk = jwkOf(row);
  return { jwk, privateKey: createPrivateKey({ key: { ...jwk, d: row.private_d }, format: 'jwk' }) };
};

const currentKey = async (storage: Storage): Promise<SigningKey> => {
  const active = await activeKey(storage.read);
  if (active) return active;
  await storage.write.transaction().execute(async (trx) => {
    await lockNames(storage.engine, trx, ['receipt keys']);
    if ((await activeKey(trx)) === null) await insertKey(trx, Date.now());
  });
  return (await activeKey(storage.write))!;
};

const insertKey = async (trx: DatabaseTransaction, nowMs: number): Promise<string> => {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const id = keyIdOf({ kty: 'OKP', crv: 'Ed25519', x: x! });
  const row = { id, public_x: x!, private_d: d!, created_at_ms: nowMs, retired_at_ms: null };
  await trx.insertInto('receipt_keys').values(row).execute();
  return id;
};

/** A new key signs from now on. The old one's private half is forgotten; its public half stays. Returns the new id. */
export const rotateKey = (storage: Storage, nowMs = Date.now()): Promise<string> =>
  storage.write.transaction().execute(async (trx) => {
    await lockNames(storage.engine, trx, ['receipt keys']);
    await trx
      .updateTable('receipt_keys')
      .set({ retired_at_ms: nowMs, private_d: null })
      .where('retired_at_ms', 'is', null)
      .execute();
    return insertKey(trx, nowMs);
  });
