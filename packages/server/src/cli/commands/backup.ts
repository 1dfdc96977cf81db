// `faircopy backup` and `faircopy restore`: copies of the SQLite database, checked after they are written.
import type { BackupContents } from '../../storage/backup/backup.ts';
import { type ConfigureCommand, EXIT } from '../command.ts';
import { sanitise, sanitiseLines } from '../output.ts';

interface Options {
  readonly force?: boolean;
}

/** Prints the sentence that the work resolves to. Failures are printed as a sentence and set the exit code. */
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
    console.error(sanitise(await work(dataDir)));
  } catch (thrown) {
    console.error(sanitiseLines((thrown as Error).message));
    if (thrown instanceof ConfigFault || thrown instanceof NewerSchemaError) process.exitCode = EXIT.config;
    else process.exitCode = thrown instanceof BackupError ? EXIT.dataError : EXIT.unavailable;
  }
};

const describe = ({ schemaVersion, accounts, usageRecords }: BackupContents): string =>
  `${accounts} accounts, ${usageRecords} usage records, schema version ${schemaVersion}`;

const backup = (file: string, { force = false }: Options): Promise<void> =>
  onDataFolder(async (dataDir) => {
    const { backUp } = await import('../../storage/backup/backup.ts');
    return `Wrote ${file} and checked it: ${describe(await backUp(dataDir, file, { force }))}.`;
  });

const restore = (file: string, { force = false }: Options): Promise<void> =>
  onDataFolder(async (dataDir) => {
    const restoring = await import('../../storage/backup/restore.ts');
    const restored = await restoring.restore(dataDir, file, { force });
    const contents = describe(restored.contents);
    if ('staged' in restored) {
      const server = restored.pid === null ? 'The server' : `The server with pid ${restored.pid}`;
      return `Checked and staged ${file}: ${contents}. ${server} restores it at its next start, and keeps the database it replaces. To cancel, delete ${restored.staged}.`;
    }
    const kept = restored.previous === null ? '' : ` The previous database is ${restored.previous}.`;
    return `Restored ${dataDir} from ${file}: ${contents}.${kept}`;
  });

export const configureBackup: ConfigureCommand = (command) => {
  command.argument('<file>').option('--force', 'replace the file if it exists').action(backup);
};

export const configureRestore: ConfigureCommand = (command) => {
  command
    .argument('<file>', 'written by "faircopy backup"')
    .option('--force', 'replace an existing database; it is kept under another name')
    .action(restore);
};
