// `faircopy accounts`: creates, lists, renames and closes accounts; sets their limits, refinement and vocabulary.
import { readFile } from 'node:fs/promises';
import { isRefineLevel, REDACTION_NAMES, REFINE_LEVELS } from '@faircopy/contract';
import { Argument, InvalidArgumentError, Option } from 'commander';
import type { Account } from '../../accounts/accounts.ts';
import { Fault } from '../../lib/fault.ts';
import { languagesOf } from '../../lib/language-names.ts';
import { type ConfigureCommand, EXIT } from '../command.ts';
import { confirm, isInteractive } from '../confirm.ts';
import { isoOrNull, print, printJson, printTable, sanitise, shortTime } from '../output.ts';
import { withStorage } from '../with-storage.ts';

interface JsonOption {
  readonly json?: boolean | undefined;
}

const create = (name: string, options: JsonOption): Promise<void> =>
  withStorage(async (storage) => {
    const { createAccount } = await import('../../accounts/accounts.ts');
    await show([await createAccount(storage, name)], options);
  });

const list = (options: JsonOption): Promise<void> =>
  withStorage(async (storage) => {
    const { listAccounts } = await import('../../accounts/accounts.ts');
    const accounts = await listAccounts(storage.read);
    await show(accounts, options);
    if (accounts.length === 0) console.error('There are no accounts. Create one: faircopy accounts create NAME');
  });

const rename = (name: string, newName: string, options: JsonOption): Promise<void> =>
  withStorage(async (storage) => {
    const { accountNamed, renameAccount } = await import('../../accounts/accounts.ts');
    const { id } = await accountNamed(storage.write, name);
    await show([await renameAccount(storage, id, { name: newName, before: name })], options);
  });

const close = (name: string, options: JsonOption & { yes?: boolean }): Promise<void> =>
  withStorage(async (storage) => {
    const [{ accountNamed }, { closeAccount }] = await Promise.all([
      import('../../accounts/accounts.ts'),
      import('../../accounts/close-account.ts'),
    ]);
    const account = await accountNamed(storage.write, name);
    const question = `Close "${sanitise(name)}" for good and revoke its keys?`;
    if (isInteractive() && options.yes !== true && !(await confirm(question))) {
      console.error('Nothing was closed.');
      process.exitCode = EXIT.usage;
      return;
    }
    await show([await closeAccount(storage, account.id)], options);
    console.error(
      `"${sanitise(name)}" is closed. Within a second, running servers refuse its keys and end its streams. Its usage is kept.`,
    );
  });

interface LimitOptions extends JsonOption {
  readonly maxStreams?: Limit;
  readonly maxDurationSeconds?: Limit;
  readonly maxUploads?: Limit;
  readonly maxWaitingSeconds?: Limit;
}

const setLimits = (name: string, { json, ...changes }: LimitOptions): Promise<void> =>
  withStorage(async (storage) => {
    const accounts = await import('../../accounts/accounts.ts');
    if (Object.keys(changes).length === 0)
      throw new Fault('INVALID_REQUEST', { message: 'Name a limit, such as --max-streams N; see --help.' });
    const limits = Object.fromEntries(Object.entries(changes).map(([limit, value]) => [limit, ownLimit(value)]));
    const account = await accounts.accountNamed(storage.write, name);
    await show([await accounts.setLimits(storage, account.id, limits)], { json });
    console.error(`New requests of "${sanitise(name)}" have these limits; running servers apply them within a second.`);
  });

const setRefinement = (name: string, level: string, options: JsonOption): Promise<void> =>
  withStorage(async (storage) => {
    const accounts = await import('../../accounts/accounts.ts');
    const account = await accounts.accountNamed(storage.write, name);
    const chosen = isRefineLevel(level) ? level : null;
    await show([await accounts.setRefinement(storage, account.id, chosen)], options);
  });

const setRedaction = (name: string, names: string, options: JsonOption): Promise<void> =>
  withStorage(async (storage) => {
    const [accounts, { redactionOf }] = await Promise.all([
      import('../../accounts/accounts.ts'),
      import('../../calls/redaction-names.ts'),
    ]);
    const account = await accounts.accountNamed(storage.write, name);
    const redaction = names === 'none' ? [] : redactionOf(names);
    await show([await accounts.setRedaction(storage, account.id, redaction)], options);
  });

const setLanguages = (name: string, list: string, options: JsonOption): Promise<void> =>
  withStorage(async (storage) => {
    const accounts = await import('../../accounts/accounts.ts');
    const account = await accounts.accountNamed(storage.write, name);
    const languages = list === 'any' ? [] : languagesOf(list);
    await show([await accounts.setLanguages(storage, account.id, languages)], options);
  });

interface VocabularyOptions extends JsonOption {
  readonly set?: string;
  readonly clear?: boolean;
}

const vocabulary = (name: string, { set, clear, json }: VocabularyOptions): Promise<void> =>
  withStorage(async (storage) => {
    const [{ accountNamed }, { listVocabulary, setVocabulary }] = await Promise.all([
      import('../../accounts/accounts.ts'),
      import('../../accounts/vocabulary/vocabulary.ts'),
    ]);
    const { id } = await accountNamed(storage.write, name);
    if (clear) await setVocabulary(storage, id, []);
    if (set !== undefined) {
      const text = await readFile(set === '-' ? '/dev/stdin' : set, 'utf8').catch((cause: Error) => {
        throw new Fault('INVALID_REQUEST', { message: `The terms cannot be read: ${cause.message}`, cause });
      });
      const terms = text.split(/\r?\n/).filter((line) => line.trim() !== '');
      await setVocabulary(storage, id, terms);
    }
    const terms = await listVocabulary(storage.write, id);
    if (json) await printJson(terms);
    else await print(terms.map((term) => `${sanitise(term)}\n`).join(''));
  });

const show = async (accounts: readonly Account[], { json }: JsonOption): Promise<void> => {
  if (json) return void (await printJson(accounts.map(toJson)));
  await printTable(accounts, [
    { title: 'name', value: ({ name }) => name },
    { title: 'max streams', value: ({ maxStreams }) => maxStreams ?? 'default' },
    { title: 'max seconds', value: ({ maxDurationSeconds }) => maxDurationSeconds ?? 'default' },
    { title: 'max uploads', value: ({ maxUploads }) => maxUploads ?? 'default' },
    { title: 'max waiting', value: ({ maxWaitingSeconds }) => maxWaitingSeconds ?? 'default' },
    { title: 'refinement', value: ({ refinement }) => refinement ?? 'default' },
    { title: 'state', value: ({ closedAtMs }) => (closedAtMs === null ? 'open' : 'closed') },
    { title: 'created', value: ({ createdAtMs }) => shortTime(createdAtMs) },
    { title: 'id', value: ({ id }) => id },
    { title: 'languages', value: ({ languages }) => languages.join(',') || 'any' },
    { title: 'redaction', value: ({ redaction }) => redaction.join(',') || 'none' },
  ]);
};

const toJson = (account: Account) => ({
  id: account.id,
  name: account.name,
  max_streams: account.maxStreams,
  max_duration_seconds: account.maxDurationSeconds,
  max_uploads: account.maxUploads,
  max_waiting_seconds: account.maxWaitingSeconds,
  refinement: account.refinement,
  redaction: account.redaction,
  languages: account.languages,
  created_at: isoOrNull(account.createdAtMs),
  closed_at: isoOrNull(account.closedAtMs),
});

/** `default` instead of null, which commander would take for an option without a value. */
type Limit = number | 'default';

const limit = (text: string): Limit => {
  if (text === 'default') return text;
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, or "default".');
  return Number(text);
};

const ownLimit = (value: Limit | undefined): number | null | undefined => (value === 'default' ? null : value);

export const configureAccounts: ConfigureCommand = (accounts) => {
  accounts
    .command('create')
    .argument('<name>')
    .description('create an account')
    .option('--json', 'print JSON')
    .action(create);
  accounts.command('list').description('list accounts and their limits').option('--json', 'print JSON').action(list);
  accounts
    .command('rename')
    .argument('<name>')
    .argument('<new-name>')
    .description('rename an account; its keys keep working')
    .option('--json', 'print JSON')
    .action(rename);
  accounts
    .command('close')
    .argument('<name>')
    .description('close an account for good: its keys are revoked, its usage is kept')
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
    .action(close);
  accounts
    .command('vocabulary')
    .argument('<name>')
    .description('show or change the terms (names, products) for recognition and refinement, one per line')
    .addOption(
      new Option('--set <file>', 'replace them with the lines of a file; - for standard input').conflicts('clear'),
    )
    .option('--clear', 'delete them all')
    .option('--json', 'print JSON')
    .action(vocabulary);
  accounts
    .command('set-refinement')
    .argument('<name>')
    .addArgument(new Argument('<level>').choices([...REFINE_LEVELS, 'default']))
    .description('set the refinement level for requests that do not specify one')
    .option('--json', 'print JSON')
    .action(setRefinement);
  accounts
    .command('set-redaction')
    .argument('<name>')
    .argument('<names>', `none, or a list of ${REDACTION_NAMES.join(', ')}`)
    .description('set the personal data that is redacted in all requests')
    .option('--json', 'print JSON')
    .action(setRedaction);
  accounts
    .command('set-languages')
    .argument('<name>')
    .argument('<languages>', 'any, or a list such as de,en')
    .description('set the languages that requests are limited to')
    .option('--json', 'print JSON')
    .action(setLanguages);
  accounts
    .command('set-limits')
    .argument('<name>')
    .description('set limits of an account; "default" means the limit of the server')
    .option('--max-streams <n>', 'open streams', limit)
    .option('--max-duration-seconds <n>', 'longest audio file', limit)
    .option('--max-uploads <n>', 'files uploading or waiting at the same time', limit)
    .option('--max-waiting-seconds <n>', 'audio that may wait for recognition', limit)
    .option('--json', 'print JSON')
    .action(setLimits);
};
