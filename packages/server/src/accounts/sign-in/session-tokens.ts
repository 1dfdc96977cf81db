// Stores session tokens as SHA-256, so that the database and its backups contain no usable session.
import { createHash } from 'node:crypto';
import type { BetterAuthOptions, DBAdapter } from '#better-auth';
import { kyselyAdapter } from '#kysely-adapter';
import type { Storage } from '../../storage/open.ts';

const SESSION = 'session';

export const storedSessionToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

type Where = NonNullable<Parameters<DBAdapter['findMany']>[0]['where']>;
interface Query {
  readonly model: string;
  readonly where?: Where | undefined;
}

/** The plain token in a query, if any. */
const presentedToken = ({ model, where }: Query): string | undefined => {
  const value = model === SESSION ? where?.find(({ field }) => field === 'token')?.value : undefined;
  return typeof value === 'string' ? value : undefined;
};

const storedValue = (value: Where[number]['value']): Where[number]['value'] => {
  if (Array.isArray(value)) return value.map((token) => storedSessionToken(String(token)));
  return storedSessionToken(String(value));
};

const asStored = <Q extends Query>(query: Q): Q =>
  query.model !== SESSION || query.where === undefined
    ? query
    : {
        ...query,
        where: query.where.map((clause) =>
          clause.field === 'token' ? { ...clause, value: storedValue(clause.value) } : clause,
        ),
      };

/** Returns the plain token to the library, which puts it into the cookie. */
const withToken = <Row>(row: Row, token: string | undefined): Row =>
  row === null || token === undefined ? row : { ...row, token };

/** The library's database adapter, with session tokens hashed in every query. */
export const sessionHashingAdapter =
  (storage: Storage) =>
  (options: BetterAuthOptions): DBAdapter => {
    const plain = kyselyAdapter(storage.write, { type: storage.engine })(options) as DBAdapter;
    const adapter: DBAdapter = {
      ...plain,
      create: async (row) => {
        const token = row.model === SESSION ? String((row.data as { token?: unknown }).token) : undefined;
        if (token === undefined) return plain.create(row);
        return withToken(
          await plain.create({ ...row, data: { ...row.data, token: storedSessionToken(token) } }),
          token,
        );
      },
      findOne: async (query) => withToken(await plain.findOne(asStored(query)), presentedToken(query)),
      findMany: (query) => plain.findMany(asStored(query)),
      count: (query) => plain.count(asStored(query)),
      update: async (change) => withToken(await plain.update(asStored(change)), presentedToken(change)),
      updateMany: (change) => plain.updateMany(asStored(change)),
      delete: (query) => plain.delete(asStored(query)),
      deleteMany: (query) => plain.deleteMany(asStored(query)),
      transaction: (work) => work(adapter),
    };
    return adapter;
  };
