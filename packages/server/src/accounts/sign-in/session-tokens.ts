// Keeps session tokens as SHA-256 in the database: whoever reads it, or a backup of it, has no one's session.
import { createHash } from 'node:crypto';
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import type { BetterAuthOptions, DBAdapter } from 'better-auth';
import type { Storage } from '../../storage/open.ts';

const SESSION = 'session';

export const storedSessionToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

type Where = NonNullable<Parameters<DBAdapter['findMany']>[0]['where']>;
interface Question {
  readonly model: string;
  readonly where?: Where | undefined;
}

/** The token that is asked for, when one is. */
const presentedToken = ({ model, where }: Question): string | undefined => {
  const value = model === SESSION ? where?.find(({ field }) => field === 'token')?.value : undefined;
  return typeof value === 'string' ? value : undefined;
};

const storedValue = (value: Where[number]['value']): Where[number]['value'] => {
  if (Array.isArray(value)) return value.map((token) => storedSessionToken(String(token)));
  return storedSessionToken(String(value));
};

const asStored = <Q extends Question>(question: Q): Q =>
  question.model !== SESSION || question.where === undefined
    ? question
    : {
        ...question,
        where: question.where.map((clause) =>
          clause.field === 'token' ? { ...clause, value: storedValue(clause.value) } : clause,
        ),
      };

/** The library goes on with the token it presented: it becomes the cookie. */
const withToken = <Row>(row: Row, token: string | undefined): Row =>
  row === null || token === undefined ? row : { ...row, token };

/** The library's adapter over our tables, with the column `token` of sessions hashed on the way in. */
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
      findOne: async (question) => withToken(await plain.findOne(asStored(question)), presentedToken(question)),
      findMany: (question) => plain.findMany(asStored(question)),
      count: (question) => plain.count(asStored(question)),
      update: async (change) => withToken(await plain.update(asStored(change)), presentedToken(change)),
      updateMany: (change) => plain.updateMany(asStored(change)),
      delete: (question) => plain.delete(asStored(question)),
      deleteMany: (question) => plain.deleteMany(asStored(question)),
      transaction: (work) => work(adapter),
    };
    return adapter;
  };
