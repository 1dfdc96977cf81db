// `faircopy backup` and `faircopy restore`: copies of the SQLite database, checked after they are written.
import type { BackupContents } from '../../storage/backup/backup.ts';
import { type AddCommand, EXIT } from '../command.ts';
import { harmless } from '../output.ts';

interface Options {
  readonly force?: boolean;
}

/** Runs the work on the data folder; what cannot be done becomes a sentence and an exit code. */
const onDataFolder = async (work: (dataDir: string) => Promise<string>): Promise<void> => {
  const [{ parseConfig }, { ConfigFault }, { BackupError }, { NewerSchemaError }] = await Promise.all([
    import('../../app/config.ts'),
    import('../../config/parse.ts'),
    import('../../storage/backup/backup.ts'),
    import('../../storage/migrate.ts'),
  ]);
  try {
    const { dataDir, databaseUrl } = parseConfig(process.env);
    if (databaseUrl !== undefined)
      throw new BackupError('DATABASE_URL is set: back up PostgreSQL with pg_dump, and restore it with pg_restore.');
    console.error(harmless(await work(dataDir)));
  } catch (thrown) {
    console.error((thrown as Error).message.split('\n').map(harmless).join('\n'));
    if (thrown instanceof ConfigFault || thrown instanceof NewerSchemaError) process.exitCode = EXIT.config;
    else process.exitCode = thrown instanceof BackupError ? EXIT.dataError : EXIT.unavailable;
  }
};

const told = ({ schemaVersion, accounts, usageRecords }: BackupContents): string =>
  `${accounts} accounts, ${usageRecords} usage records, schema version ${schemaVersion}`;

const backup = (file: string, { force = false }: Options): Promise<void> =>
  onDataFolder(async (dataDir) => {
    const { backUp } = await import('../../storage/backup/backup.ts');
    return `Wrote ${file} and checked it: ${told(await backUp(dataDir, file, { force }))}.`;
  });

const restore = (file: string, { force = false }: Options): Promise<void> =>
  onDataFolder(async (dataDir) => {
    const { restore: putBack } = await import('../../storage/backup/restore.ts');
    const restored = await putBack(dataDir, file, { force });
    const what = told(restored.contents);
    if ('staged' in restored) {
      const server = restored.pid === null ? 'The server' : `The server with pid ${restored.pid}`;
      return `Checked ${file} and put it ready: ${what}. ${server} takes it up at its next start, and keeps the database of that moment aside. To call it off before, delete ${restored.staged}.`;
    }
    const kept = restored.previous === null ? '' : ` The database before is ${restored.previous}.`;
    return `Restored ${dataDir} from ${file}: ${what}.${kept}`;
  });

export const addBackup: AddCommand = (program) => {
  program
    .command('backup')
    .argument('<file>')
    .description('copy the SQLite database to a file, also while the server runs, and check the copy')
    .option('--force', 'replace the file if it exists')
    .action(backup);
  program
    .command('restore')
    .argument('<file>', 'a file that "backup" wrote')
    .description('put a copy back in the data folder; a running server takes it up at its next start')
    .option('--force', 'also when there is a database: it is kept beside the new one')
    .action(restore);
};
