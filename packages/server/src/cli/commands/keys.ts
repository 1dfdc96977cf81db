// `faircopy keys`: creates, lists, changes and revokes API keys, even while a server runs.
import { KEY_SCOPES, type KeyRules, keyRules, NO_KEY_RULES, REDACTION_NAMES } from '@faircopy/contract';
import type { Command } from 'commander';
import type { KeyListing } from '../../accounts/keys/keys.ts';
import { invalidRequest } from '../../lib/fault.ts';
import { nearest } from '../../lib/nearest-name.ts';
import type { Storage } from '../../storage/open.ts';
import { commaList, parseWhen } from '../arguments.ts';
import { type ConfigureCommand, EXIT } from '../command.ts';
import { confirm, isInteractive } from '../confirm.ts';
import { isoOrNull, print, printJson, printTable, sanitise, shortTime } from '../output.ts';
import { withStorage } from '../with-storage.ts';

interface CreateOptions {
  readonly account: string;
  readonly name: string;
  readonly create?: boolean;
  readonly expires?: number;
  readonly json?: boolean;
}

interface RuleOptions {
  readonly scopes?: readonly string[];
  readonly models?: readonly string[];
  readonly languages?: readonly string[];
  readonly addresses?: readonly string[];
  readonly refinement?: string;
  readonly redact?: readonly string[];
  readonly tags?: readonly string[];
}

/** The current rules with the given options applied. An empty value removes a rule. */
const rulesOf = (options: RuleOptions, current: KeyRules): KeyRules => {
  const given = Object.entries(options).flatMap(([name, value]) =>
    RULES.has(name) && value !== undefined ? [[name, liftedOr(name, value)]] : [],
  );
  const read = keyRules.safeParse({ ...current, ...Object.fromEntries(given) });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw invalidRequest(`--${String(issue?.path[0])}: ${issue?.message}`);
};

const RULES: ReadonlySet<string> = new Set(Object.keys(NO_KEY_RULES));

const liftedOr = (name: string, value: unknown): unknown => {
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0);
  return isEmpty && name !== 'tags' ? null : value;
};

const create = (options: CreateOptions & RuleOptions): Promise<void> => {
  const { account: accountName, name, create, expires, json } = options;
  return withStorage(async (storage) => {
    const [{ ensureAccount }, { createKey }, { checkKeyRules }, { checkedName }] = await Promise.all([
      import('../../accounts/accounts.ts'),
      import('../../accounts/keys/keys.ts'),
      import('../../accounts/keys/key-rules.ts'),
      import('../../accounts/checked-name.ts'),
    ]);
    // Checked before the account is created, so that a refused call leaves nothing behind.
    checkedName("The key's name", name);
    const rules = checkKeyRules(rulesOf(options, NO_KEY_RULES));
    if (isInteractive() && create !== true && !(await mayCreate(storage, accountName))) {
      console.error('No key was created. "faircopy accounts list" shows the accounts; --create does not ask.');
      process.exitCode = EXIT.usage;
      return;
    }
    const { account, created } = await ensureAccount(storage, accountName);
    const { key, listing } = await createKey(storage, {
      accountId: account.id,
      name,
      createdBy: 'command line',
      expiresAtMs: expires ?? null,
      rules,
    });
    if (json) await printJson({ key, ...toJson(listing, account.name) });
    else await print(`${key}\n`);
    if (created) console.error(`Created the account "${sanitise(account.name)}".`);
    console.error('This is the only time the key is shown. Store it safely.');
  });
};

/** Whether the account exists or the user confirms its creation, since its name may be mistyped. */
const mayCreate = async (storage: Storage, name: string): Promise<boolean> => {
  const { findAccount, listAccounts } = await import('../../accounts/accounts.ts');
  if ((await findAccount(storage.read, name)) !== null) return true;
  const names = (await listAccounts(storage.read)).map((account) => account.name);
  const similar = nearest(name, names);
  const hint = similar === null ? '' : ` There is "${sanitise(similar)}".`;
  return confirm(`There is no account "${sanitise(name)}".${hint} Create it?`);
};

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
    const keys: { readonly key: KeyListing; readonly account: string; readonly state: string }[] = [];
    for (const account of accounts)
      for (const key of await listKeys(storage.read, account.id))
        keys.push({ key, account: account.name, state: keyState(key, Date.now()) });
    if (options.json)
      return void (await printJson(keys.map(({ key, account, state }) => ({ ...toJson(key, account), state }))));
    await printTable(keys, [
      { title: 'id', value: ({ key }) => key.id },
      { title: 'key', value: ({ key }) => `${key.prefix}…` },
      { title: 'account', value: ({ account }) => account },
      { title: 'name', value: ({ key }) => key.name },
      { title: 'state', value: ({ state }) => state },
      { title: 'created', value: ({ key }) => shortTime(key.createdAtMs) },
      { title: 'by', value: ({ key }) => key.createdBy },
      { title: 'expires', value: ({ key }) => shortTime(key.expiresAtMs) },
      { title: 'last used', value: ({ key }) => shortTime(key.lastUsedAtMs) },
      { title: 'rules', value: ({ key }) => shownRules(key.rules) },
    ]);
    if (keys.length === 0)
      console.error('There are no keys. Create one: faircopy keys create --account NAME --name LABEL');
  });

/** Shows the rules as options of `keys change`. */
const shownRules = (rules: KeyRules): string =>
  Object.entries(rules)
    .filter(([, value]) => value !== null && value.length > 0)
    .map(([name, value]) => `--${name} ${value}`)
    .join(' ');

const revoke = (text: string): Promise<void> =>
  withStorage(async (storage) => {
    const { findKey, revokeKey } = await import('../../accounts/keys/keys.ts');
    const key = await findKey(storage.read, text);
    await revokeKey(storage, key.accountId, key.id);
    console.error(`Revoked ${key.prefix}… "${sanitise(key.name)}". Running servers refuse it within a second.`);
  });

const change = (text: string, options: RuleOptions): Promise<void> =>
  withStorage(async (storage) => {
    const { changeKeyRules, findKey } = await import('../../accounts/keys/keys.ts');
    const key = await findKey(storage.read, text);
    await changeKeyRules(storage, key.accountId, key.id, rulesOf(options, key.rules));
    console.error(`Changed ${key.prefix}… "${sanitise(key.name)}". Running servers apply this within a second.`);
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
  rules: key.rules,
});

const addRuleOptions = (command: Command): Command =>
  command
    .option('--scopes <list>', `what the key may be used for: ${KEY_SCOPES.join(', ')}`, commaList)
    .option('--models <list>', 'models that it may use', commaList)
    .option('--languages <list>', 'languages that may be spoken, such as de,en', commaList)
    .option('--addresses <list>', 'addresses and ranges that it may be used from, such as 10.0.0.0/8', commaList)
    .option('--refinement <level>', 'level of refinement, regardless of the request')
    .option('--redact <list>', `personal data redacted in all its answers: ${REDACTION_NAMES.join(', ')}`, commaList)
    .option('--tags <list>', 'tags of all its requests', commaList);

export const configureKeys: ConfigureCommand = (keys) => {
  addRuleOptions(keys.command('create'))
    .description('create a key and print it to standard output; it is shown only once')
    .requiredOption('--account <name>', 'its account; created if it does not exist')
    .requiredOption('--name <label>', 'a label for lists')
    .option('--create', 'create the account without asking')
    .option('--expires <when>', 'a date, or a span such as 90d', (text) => parseWhen(text, 'ahead'))
    .option('--json', 'print JSON')
    .action(create);
  keys
    .command('list')
    .description('list keys with their state and last use')
    .option('--account <name>', 'only keys of this account')
    .option('--json', 'print JSON')
    .action(list);
  addRuleOptions(keys.command('change'))
    .argument('<key>', 'its id, its prefix, or the key itself')
    .description('change what a key may do; an empty value removes a rule')
    .action(change);
  keys
    .command('revoke')
    .argument('<key>', 'its id, its prefix, or the key itself')
    .description('revoke a key for good')
    .action(revoke);
};
