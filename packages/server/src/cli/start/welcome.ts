// What a first start says: a key, the way into the console, and a request that works as pasted.
import { relative } from 'node:path';
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import { ensureAccount, listAccounts } from '../../accounts/accounts.ts';
import { createKey } from '../../accounts/keys/keys.ts';
import { createFirstAdministratorInvitation } from '../../accounts/people/invitations.ts';
import type { Storage } from '../../storage/open.ts';
import { assetPath } from '../asset-path.ts';

const FIRST_ACCOUNT = 'default';

export const SAMPLE = assetPath('sample.ogg');

/** Shells take a path in single quotes as it is, once its own are taken care of. */
const quoted = (path: string): string =>
  /^[\w./@-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;

const samplePath = (): string => {
  const near = relative(process.cwd(), SAMPLE);
  return near.startsWith('..') ? SAMPLE : near;
};

export interface Arrival {
  readonly url: string;
  /** The tiers that answer; the first request asks for the best of them. */
  readonly models: readonly ModelId[];
}

export const welcome = async (
  storage: Storage,
  { url, models }: Arrival,
  say: (text?: string) => void,
): Promise<void> => {
  // The oldest open account is the one whose key was printed first, here or by `faircopy keys create`.
  const [oldest] = (await listAccounts(storage.write))
    .filter(({ closedAtMs }) => closedAtMs === null)
    .sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1));
  const { account, created } = oldest
    ? { account: oldest, created: false }
    : await ensureAccount(storage, FIRST_ACCOUNT);
  if (created) {
    const { key } = await createKey(storage, { accountId: account.id, name: 'first key', createdBy: 'first start' });
    say(`\nCreated the account "${FIRST_ACCOUNT}" with this API key, which is shown only once:\n\n  ${key}`);
    say('\nA first request:\n');
    say(`  curl ${url}/v1/transcribe \\\n    -H "Authorization: Token ${key}" \\`);
    say(`    -F model=${MODEL_IDS.findLast((id) => models.includes(id))} \\\n    -F audio=@${quoted(samplePath())}`);
  }
  const token = await createFirstAdministratorInvitation(storage, account.id);
  if (token !== null) say(`\nSign in to the console as its first administrator:\n\n  ${url}/console/welcome/${token}`);
};
