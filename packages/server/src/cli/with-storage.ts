// Opens the database for one command and closes it afterwards. Failures are printed in a sentence with an exit code.
import { join } from 'node:path';
import { Fault } from '../lib/fault.ts';
import { fileExists } from '../lib/files/file-exists.ts';
import type { Storage, StorageOptions } from '../storage/open.ts';
import { EXIT } from './command.ts';
import { databaseSentence } from './database-fault.ts';
import { sanitiseLines } from './output.ts';

export const withStorage = async (
  work: (storage: Storage) => Promise<void>,
  options: Pick<StorageOptions, 'statementMsMax'> = {},
): Promise<void> => {
  const [{ parseConfig }, { ConfigFault }, { FILE_NAME, openStorage }, { NewerSchemaError }, { hasStagedRestore }] =
    await Promise.all([
      import('../app/config.ts'),
      import('../config/parse.ts'),
      import('../storage/open.ts'),
      import('../storage/migrate.ts'),
      import('../storage/backup/restore.ts'),
    ]);
  const exitCode = (thrown: unknown): number => {
    if (thrown instanceof ConfigFault || thrown instanceof NewerSchemaError) return EXIT.config;
    if (!(thrown instanceof Fault)) return EXIT.unavailable;
    if (thrown.code === 'INVALID_REQUEST') return EXIT.usage;
    return thrown.code === 'NOT_FOUND' || thrown.code === 'CONFLICT' ? EXIT.dataError : EXIT.unavailable;
  };
  const sentence = (thrown: unknown): string => {
    const { message } = thrown instanceof Error ? thrown : new Error(String(thrown));
    return message || (thrown as { code?: string }).code || 'The database cannot be used';
  };
  try {
    const config = parseConfig(process.env);
    const isNew = config.databaseUrl === undefined && !(await fileExists(join(config.dataDir, FILE_NAME)));
    const storage = await openStorage({ ...config, ...options }).catch((cause: unknown) => {
      if (cause instanceof NewerSchemaError) throw cause;
      throw new Error(databaseSentence(config, cause), { cause });
    });
    if (isNew)
      console.error(
        `Created a new database in ${config.dataDir}. If a server keeps its data elsewhere, set FAIRCOPY_DATA_DIR.`,
      );
    if (config.databaseUrl === undefined && (await hasStagedRestore(config.dataDir)))
      console.error('The next start of the server restores a backup: changes made now will be lost.');
    try {
      await work(storage);
    } finally {
      await storage.close();
    }
  } catch (thrown) {
    console.error(sanitiseLines(sentence(thrown)));
    process.exitCode = exitCode(thrown);
  }
};
