// `faircopy accounts`: accounts made, listed, renamed and closed, and given limits and a vocabulary of their own.
import { readFile } from 'node:fs/promises';
import { isRefineLevel, REFINE_LEVELS } from '@faircopy/contract';
import { Argument, InvalidArgumentError, Option } from 'commander';
import type { Account } from '../../accounts/accounts.ts';
import { type AddCommand, EXIT } from '../command.ts';
import { formatTable, harmless, isoOrNull, print, shortTime } from '../output.ts';
import { withStorage } from '../with-storage.ts';

const create = (name: string, options: { json?: boolean }): Promise<void> =>
  withStorage(async (storage) => {
    const { createAccount } = await import('../../accounts/accounts.ts');
    await show([await createAccount(storage, name)], options);
  });

const list = (options: { json?: boolean }): Promise<void> =>
  withStorage(async (storage) => {
    const { listAccounts } = await import('../../accounts/accounts.ts');
    const accounts = await listAccounts(storage.read);
    await show(accounts, options);
    if (accounts.length === 0) console.error('There are no accounts yet. Make one: faircopy accounts create NAME');
  });

const rename = (name: string, newName: string, options: { json?: boolean }): Promise<void> =>
  withStorage(async (storage) => {
    const { accountNamed, renameAccount } = await import('../../accounts/accounts.ts');
    const { id } = await accountNamed(storage.write, name);
    await show([await renameAccount(storage, id, { name: newName, before: name })], options);
  });

const close = (name: string, options: { json?: boolean; yes?: boolean }): Promise<void> =>
  withStorage(async (storage) => {
    const [{ accountNamed }, { closeAccount }] = await Promise.all([
      import('../../accounts/accounts.ts'),
      import('../../accounts/close-account.ts'),
    ]);
    const account = await accountNamed(storage.write, name);
    // A person may have mistyped the name; a script is taken at its word.
    if (process.stdin.isTTY && process.stderr.isTTY && options.yes !== true && !(await isSure(name))) {
      console.error('Nothing was closed.');
      process.exitCode = EXIT.usage;
      return;
    }
    await show([await closeAccount(storage, account.id)], options);
    console.error(
      `"${harmless(name)}" is closed. Running servers refuse its keys and end its streams within a second; its usage stays.`,
    );
  });

const isSure = async (name: string): Promise<boolean> => {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const question = `Close "${harmless(name)}" for good and revoke its keys? [y/N] `;
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
};

interface LimitOptions {
  readonly maxStreams?: Limit;
  readonly maxDurationSeconds?: Limit;
  readonly maxUploads?: Limit;
  readonly maxWaitingSeconds?: Limit;
  readonly json?: boolean;
}

const changeLimits = (name: string, { json, ...changes }: LimitOptions): Promise<void> =>
  withStorage(async (storage) => {
    const [{ accountNamed, setLimits }, { Fault }] = await Promise.all([
      import('../../accounts/accounts.ts'),
      import('../../lib/fault.ts'),
    ]);
    if (Object.keys(changes).length === 0)
      throw new Fault('INVALID_REQUEST', { message: 'Say which limit, such as --max-streams N; --help lists them.' });
    const limits = Object.fromEntries(Object.entries(changes).map(([limit, value]) => [limit, ownLimit(value)]));
    const account = await accountNamed(storage.write, name);
    await show([await setLimits(storage, account.id, limits)], { json });
    console.error(`"${harmless(name)}" has these limits for new requests, within a second on running servers.`);
  });

const changeRefinement = (name: string, level: string, { json }: { json?: boolean }): Promise<void> =>
  withStorage(async (storage) => {
    const { accountNamed, setRefinement } = await import('../../accounts/accounts.ts');
    const account = await accountNamed(storage.write, name);
    await show([await setRefinement(storage, account.id, isRefineLevel(level) ? level : null)], { json });
  });

interface VocabularyOptions {
  readonly set?: string;
  readonly clear?: boolean;
  readonly json?: boolean;
}

const vocabulary = (name: string, { set, clear, json }: VocabularyOptions): Promise<void> =>
  withStorage(async (storage) => {
    const [{ accountNamed }, { listVocabulary, setVocabulary }, { Fault }] = await Promise.all([
      import('../../accounts/accounts.ts'),
      import('../../accounts/vocabulary/vocabulary.ts'),
      import('../../lib/fault.ts'),
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
    await print(json ? `${JSON.stringify(terms, null, 2)}\n` : terms.map((term) => `${harmless(term)}\n`).join(''));
  });

const show = async (accounts: readonly Account[], { json }: { json?: boolean | undefined }): Promise<void> => {
  const text = json
    ? `${JSON.stringify(accounts.map(toJson), null, 2)}\n`
    : formatTable(
        accounts,
        [
          { title: 'name', value: ({ name }) => name },
          { title: 'max streams', value: ({ maxStreams }) => maxStreams ?? 'default' },
          { title: 'max seconds', value: ({ maxDurationSeconds }) => maxDurationSeconds ?? 'default' },
          { title: 'max uploads', value: ({ maxUploads }) => maxUploads ?? 'default' },
          { title: 'max waiting', value: ({ maxWaitingSeconds }) => maxWaitingSeconds ?? 'default' },
          { title: 'refinement', value: ({ refinement }) => refinement ?? 'default' },
          { title: 'state', value: ({ closedAtMs }) => (closedAtMs === null ? 'open' : 'closed') },
          { title: 'created', value: ({ createdAtMs }) => shortTime(createdAtMs) },
          { title: 'id', value: ({ id }) => id },
        ],
        process.stdout.isTTY,
      );
  await print(text);
};

const toJson = (account: Account) => ({
  id: account.id,
  name: account.name,
  max_streams: account.maxStreams,
  max_duration_seconds: account.maxDurationSeconds,
  max_uploads: account.maxUploads,
  max_waiting_seconds: account.maxWaitingSeconds,
  refinement: account.refinement,
  created_at: isoOrNull(account.createdAtMs),
  closed_at: isoOrNull(account.closedAtMs),
});

/** The word rather than null, which commander takes for an option without a value. */
type Limit = number | 'default';

const limit = (text: string): Limit => {
  if (text === 'default') return text;
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Write a whole number, or "default".');
  return Number(text);
};

const ownLimit = (value: Limit | undefined): number | null | undefined => (value === 'default' ? null : value);

export const addAccounts: AddCommand = (program) => {
  const accounts = program.command('accounts').description('accounts and their limits');
  accounts
    .command('create')
    .argument('<name>')
    .description('make an account')
    .option('--json', 'as JSON')
    .action(create);
  accounts.command('list').description('every account and its limits').option('--json', 'as JSON').action(list);
  accounts
    .command('rename')
    .argument('<name>')
    .argument('<new-name>')
    .description('give an account another name; its keys go on working')
    .option('--json', 'as JSON')
    .action(rename);
  accounts
    .command('close')
    .argument('<name>')
    .description('close an account for good: its keys are revoked, its usage stays')
    .option('--yes', 'without asking, on a terminal too')
    .option('--json', 'as JSON')
    .action(close);
  accounts
    .command('vocabulary')
    .argument('<name>')
    .description('the terms (names, products) that recognition and refinement know of, one a line')
    .addOption(
      new Option('--set <file>', 'replace them by the lines of a file, or of - for standard input').conflicts('clear'),
    )
    .option('--clear', 'forget them all')
    .option('--json', 'as JSON')
    .action(vocabulary);
  accounts
    .command('set-refinement')
    .argument('<name>')
    .addArgument(new Argument('<level>').choices([...REFINE_LEVELS, 'default']))
    .description('how much is refined for requests that do not say')
    .option('--json', 'as JSON')
    .action(changeRefinement);
  accounts
    .command('set-limits')
    .argument('<name>')
    .description('give an account limits of its own; "default" returns it to the server\'s')
    .option('--max-streams <n>', 'streams it may have open at once', limit)
    .option('--max-duration-seconds <n>', 'longest audio file', limit)
    .option('--max-uploads <n>', 'files it may be sending or waiting for at once', limit)
    .option('--max-waiting-seconds <n>', 'audio that may wait for recognition', limit)
    .option('--json', 'as JSON')
    .action(changeLimits);
};
