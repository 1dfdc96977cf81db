// The keys that sign receipts: created on first use, shared by all nodes, replaced by rotation, published forever.
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import type { PublicKey, PublicKeySet } from '@faircopy/contract';
import { cachedFor } from '../../lib/time/cached-for.ts';
import { lockNames } from '../../storage/engine.ts';
import type { Storage } from '../../storage/open.ts';
import type { ReceiptKeysTable } from '../../storage/schema/usage.ts';
import type { Database, DatabaseTransaction } from '../../storage/schema.ts';
import { type Jwk, keyIdOf, type SigningKey, signJws } from './jws.ts';

/** A node may sign with a key this long after another node replaced it; the key stays published. */
const CACHE_MS = 5_000;

export class ReceiptSigner {
  readonly #current: () => Promise<SigningKey>;
  readonly #published: () => Promise<PublicKeySet>;

  constructor(storage: Storage) {
    this.#current = cachedFor(CACHE_MS, () => currentKey(storage));
    this.#published = cachedFor(CACHE_MS, async () => {
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

/** All keys including retired ones, newest first, so that old receipts can be verified. */
export const listReceiptKeys = (db: Database): Promise<Omit<ReceiptKeysTable, 'private_d'>[]> =>
  db
    .selectFrom('receipt_keys')
    .select(['id', 'public_x', 'created_at_ms', 'retired_at_ms'])
    .orderBy('created_at_ms', 'desc')
    .orderBy('id')
    .execute();

export const publicKeys = async (db: Database): Promise<PublicKeySet> => ({
  keys: (await listReceiptKeys(db)).map((key): PublicKey => ({ ...jwkOf(key), kid: key.id, alg: 'EdDSA', use: 'sig' })),
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
    if ((await activeKey(trx)) === null) await insertKey(trx);
  });
  return (await activeKey(storage.write))!;
};

const insertKey = async (trx: DatabaseTransaction): Promise<string> => {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const id = keyIdOf({ kty: 'OKP', crv: 'Ed25519', x: x! });
  const row = { id, public_x: x!, private_d: d!, created_at_ms: Date.now(), retired_at_ms: null };
  await trx.insertInto('receipt_keys').values(row).execute();
  return id;
};

/** Creates a new signing key and deletes the private half of the old one. Returns the new id. */
export const rotateKey = (storage: Storage): Promise<string> =>
  storage.write.transaction().execute(async (trx) => {
    await lockNames(storage.engine, trx, ['receipt keys']);
    await trx
      .updateTable('receipt_keys')
      .set({ retired_at_ms: Date.now(), private_d: null })
      .where('retired_at_ms', 'is', null)
      .execute();
    return insertKey(trx);
  });
