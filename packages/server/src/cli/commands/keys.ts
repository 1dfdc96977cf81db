// `faircopy keys`: API keys made, listed and revoked, also while a server runs.
import type { KeyListing } from '../../accounts/keys/keys.ts';
import type { Storage } from '../../storage/open.ts';
import { type AddCommand, EXIT } from '../command.ts';
import { type Column, formatTable, harmless, isoOrNull, print, shortTime } from '../output.ts';
import { parseWhen } from '../when.ts';
import { withStorage } from '../with-storage.ts';

interface CreateOptions {
  readonly account: string;
  readonly name: string;
  readonly create?: boolean;
  readonly expires?: number;
  readonly json?: boolean;
}

const create = ({ account: accountName, name, create, expires, json }: CreateOptions): Promise<void> =>
  withStorage(async (storage) => {
    const [{ ensureAccount, findAccount }, { createKey }, { checkedName }] = await Promise.all([
      import('../../accounts/accounts.ts'),
      import('../../accounts/keys/keys.ts'),
      import('../../accounts/checked-name.ts'),
    ]);
    // Checked before the account is made, so that a refused call leaves nothing behind.
    checkedName("The key's name", name);
    // A person may have mistyped the name; a script is taken at its word.
    const mayAsk = process.stdin.isTTY && process.stderr.isTTY && create !== true;
    if (
      mayAsk &&
      (await findAccount(storage.read, accountName)) === null &&
      !(await wantsAccount(storage, accountName))
    ) {
      console.error(
        'Nothing was made. "faircopy accounts list" shows the accounts; --create makes one without asking.',
      );
      process.exitCode = EXIT.usage;
      return;
    }
    const { account, created } = await ensureAccount(storage, accountName);
    const { key, listing } = await createKey(storage, {
      accountId: account.id,
      name,
      createdBy: 'command line',
      expiresAtMs: expires ?? null,
    });
    await print(json ? `${JSON.stringify({ key, ...toJson(listing, account.name) }, null, 2)}\n` : `${key}\n`);
    if (created) console.error(`Created the account "${harmless(account.name)}".`);
    console.error('This is the only time the key is shown: keep it somewhere safe.');
  });

const wantsAccount = async (storage: Storage, name: string): Promise<boolean> => {
  const [{ createInterface }, { listAccounts }, { nearest }] = await Promise.all([
    import('node:readline/promises'),
    import('../../accounts/accounts.ts'),
    import('../../lib/nearest-name.ts'),
  ]);
  const like = nearest(
    name,
    (await listAccounts(storage.read)).map((account) => account.name),
  );
  const hint = like === null ? '' : ` There is "${harmless(like)}".`;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test(
      (await terminal.question(`There is no account "${harmless(name)}".${hint} Make it? [y/N] `)).trim(),
    );
  } finally {
    terminal.close();
  }
};

interface ListedKey {
  readonly key: KeyListing;
  readonly account: string;
  readonly state: string;
}

const list = (options: { account?: string; json?: boolean }): Promise<void> =>
  withStorage(async (storage) => {
    const [{ accountNamed, listAccounts }, { keyState, listKeys }] = await Promise.all([
      import('../../accounts/accounts.ts'),
      import('../../accounts/keys/keys.ts'),
    ]);
    const accounts =
      options.account === undefined
        ? await listAccounts(storage.read)
        : [await accountNamed(storage.read, options.account)];
    const keys: ListedKey[] = [];
    for (const account of accounts)
      for (const key of await listKeys(storage.read, account.id))
        keys.push({ key, account: account.name, state: keyState(key, Date.now()) });
    if (options.json) {
      await print(
        `${JSON.stringify(
          keys.map(({ key, account, state }) => ({ ...toJson(key, account), state })),
          null,
          2,
        )}\n`,
      );
      return;
    }
    const columns: Column<ListedKey>[] = [
      { title: 'id', value: (row) => row.key.id },
      { title: 'key', value: (row) => `${row.key.prefix}…` },
      { title: 'account', value: (row) => row.account },
      { title: 'name', value: (row) => row.key.name },
      { title: 'state', value: (row) => row.state },
      { title: 'created', value: (row) => shortTime(row.key.createdAtMs) },
      { title: 'by', value: (row) => row.key.createdBy },
      { title: 'expires', value: (row) => shortTime(row.key.expiresAtMs) },
      { title: 'last used', value: (row) => shortTime(row.key.lastUsedAtMs) },
    ];
    await print(formatTable(keys, columns, process.stdout.isTTY));
    if (keys.length === 0)
      console.error('There are no keys yet. Make one: faircopy keys create --account NAME --name LABEL');
  });

const revoke = (text: string): Promise<void> =>
  withStorage(async (storage) => {
    const { findKey, revokeKey } = await import('../../accounts/keys/keys.ts');
    const key = await findKey(storage.read, text);
    await revokeKey(storage, key.accountId, key.id);
    console.error(`Revoked ${key.prefix}… "${harmless(key.name)}". Running servers refuse it within a second.`);
  });

const toJson = (key: KeyListing, account: string) => ({
  id: key.id,
  account,
  name: key.name,
  prefix: key.prefix,
  created_at: isoOrNull(key.createdAtMs),
  created_by: key.createdBy,
  expires_at: isoOrNull(key.expiresAtMs),
  revoked_at: isoOrNull(key.revokedAtMs),
  last_used_at: isoOrNull(key.lastUsedAtMs),
});

export const addKeys: AddCommand = (program) => {
  const keys = program.command('keys').description('API keys of the accounts');
  keys
    .command('create')
    .description('make a key; it alone is printed on standard output, once')
    .requiredOption('--account <name>', 'the account it belongs to; made if there is none of that name')
    .requiredOption('--name <label>', 'what lists call it')
    .option('--create', 'make the account without asking, on a terminal too')
    .option('--expires <when>', 'a date, or a span such as 90d', (text) => parseWhen(text, 'ahead'))
    .option('--json', 'the key with its particulars')
    .action(create);
  keys
    .command('list')
    .description('keys by prefix, with their state and last use')
    .option('--account <name>', 'of one account only')
    .option('--json', 'as JSON')
    .action(list);
  keys
    .command('revoke')
    .argument('<key>', 'its id, its prefix as lists show it, or the key itself')
    .description('refuse a key from now on, for good')
    .action(revoke);
};
