// Output of a first start: an API key, the sign-in link of the console, and a sample request.
import { open } from 'node:fs/promises';
import { relative } from 'node:path';
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import { ensureAccount, listAccounts } from '../../accounts/accounts.ts';
import { createKey } from '../../accounts/keys/keys.ts';
import { listPeople } from '../../accounts/people/administrators.ts';
import { createFirstAdministratorInvitation } from '../../accounts/people/invitations.ts';
import type { Storage } from '../../storage/open.ts';
import { assetPath } from '../asset-path.ts';

const FIRST_ACCOUNT = 'default';

const SAMPLE = assetPath('sample.ogg');

/** Quotes a path for a shell. */
const quoted = (path: string): string =>
  /^[\w./@-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;

const samplePath = (): string => {
  const near = relative(process.cwd(), SAMPLE);
  return near.startsWith('..') ? SAMPLE : near;
};

export interface FirstStart {
  readonly url: string;
  /** The loaded tiers; the sample request uses the best one. */
  readonly models: readonly ModelId[];
  /** The name of this node, whose earlier sign-in links become void. */
  readonly node: string;
  /** Receives the key and the link instead of standard output. */
  readonly secretsFile?: string | undefined;
}

export const welcome = async (
  storage: Storage,
  { url, models, node, secretsFile }: FirstStart,
  say: (text?: string) => void,
): Promise<void> => {
  // The oldest open account is the first one, created here or by `faircopy keys create`.
  const [oldest] = (await listAccounts(storage.write))
    .filter(({ closedAtMs }) => closedAtMs === null)
    .sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1));
  const hasPeople = (await listPeople(storage.write)).length > 0;
  if (oldest && hasPeople) return;
  // Opened before anything is created, so that no key is lost.
  const file = secretsFile === undefined ? null : await open(secretsFile, 'w', 0o600);
  const lines: string[] = [];
  const tell = (text: string): void => void (file === null ? say(text) : lines.push(text));
  try {
    const { account, created } = oldest
      ? { account: oldest, created: false }
      : await ensureAccount(storage, FIRST_ACCOUNT);
    if (created) {
      const { key } = await createKey(storage, { accountId: account.id, name: 'first key', createdBy: 'first start' });
      tell(`\nCreated the account "${FIRST_ACCOUNT}" with this API key, which is shown only once:\n\n  ${key}`);
      tell('\nA first request:\n');
      tell(`  curl ${url}/v1/transcribe \\\n    -H "Authorization: Token ${key}" \\`);
      tell(`    -F model=${MODEL_IDS.findLast((id) => models.includes(id))} \\\n    -F audio=@${quoted(samplePath())}`);
    }
    const token = await createFirstAdministratorInvitation(storage, account.id, node);
    if (token !== null)
      tell(`\nSign in to the console as its first administrator:\n\n  ${url}/console/welcome/${token}`);
    await file?.writeFile(`${lines.join('\n').trim()}\n`);
  } finally {
    await file?.close();
  }
  if (file !== null) say(`\nThe first sign-in link, and the API key of a new server, are in ${secretsFile}.`);
};
