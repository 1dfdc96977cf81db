// Opens the database for one command and closes it afterwards. Failures are printed in a sentence with an exit code.
import { Fault } from '../lib/fault.ts';
import type { Storage } from '../storage/open.ts';
import { EXIT } from './command.ts';
import { databaseSentence } from './database-fault.ts';
import { sanitiseLines } from './output.ts';

export const withStorage = async (work: (storage: Storage) => Promise<void>): Promise<void> => {
  const [{ parseConfig }, { ConfigFault }, { openStorage }, { NewerSchemaError }, { hasStagedRestore }] =
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
    const storage = await openStorage(config).catch((cause: unknown) => {
      if (cause instanceof NewerSchemaError) throw cause;
      throw new Error(databaseSentence(config, cause), { cause });
    });
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
