// Checks of the database and the model store, which change neither.
import { access, constants } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../app/config.ts';
import type { Finding } from './finding.ts';

/** Whether a folder can be written, or made below the nearest one that exists. */
const isWritable = async (folder: string): Promise<boolean> => {
  for (let path = resolve(folder); ; path = dirname(path)) {
    const code = await access(path, constants.W_OK).then(
      () => null,
      (cause: NodeJS.ErrnoException) => cause.code,
    );
    if (code === null) return true;
    if (code !== 'ENOENT' || path === dirname(path)) return false;
  }
};

export const database = async (config: Config): Promise<Finding> => {
  const [{ SCHEMA_VERSION, schemaVersion }, { dataFolderHolder }, { hasStagedRestore }] = await Promise.all([
    import('../../storage/inspect.ts'),
    import('../../storage/files/data-folder-lock.ts'),
    import('../../storage/backup/restore.ts'),
  ]);
  const isSqlite = config.databaseUrl === undefined;
  const where = isSqlite ? `SQLite in ${config.dataDir}` : 'PostgreSQL (DATABASE_URL)';
  const finding = (verdict: Finding['verdict'], says: string): Finding => ({ what: 'database', verdict, says });
  try {
    const version = await schemaVersion(config);
    if (isSqlite && !(await isWritable(join(config.dataDir, version === null ? '' : 'faircopy.db'))))
      return finding('fail', `${where}: it cannot be written; give this user the right, or set FAIRCOPY_DATA_DIR`);
    if (version === null) return finding('ok', `${where}: none yet, the first start makes it`);
    if (isSqlite && (await hasStagedRestore(config.dataDir)))
      return finding('warn', `${where}: the next start replaces it by the copy that "faircopy restore" put ready`);
    if (version < SCHEMA_VERSION)
      return finding('ok', `${where}: schema version ${version}, the next start brings it to ${SCHEMA_VERSION}`);
    const pid = isSqlite ? await dataFolderHolder(config.dataDir) : null;
    return finding('ok', `${where}, schema up to date${pid === null ? '' : `, in use by the server with pid ${pid}`}`);
  } catch (thrown) {
    return finding('fail', `${where}: ${(thrown as Error).message || (thrown as { code?: string }).code}`);
  }
};

export interface ModelFindings {
  readonly finding: Finding;
  readonly missingBytes: number;
}

export const models = async (config: Config, isWorker: boolean): Promise<ModelFindings> => {
  const [{ openModelStore }, { neededModels }, { modelBytes }, { localTiers }] = await Promise.all([
    import('../../speech/store/open.ts'),
    import('../../speech/store/needed.ts'),
    import('../../speech/store/catalogue.ts'),
    import('../../speech/engine.ts'),
  ]);
  const tiers = isWorker ? config.models : localTiers(config);
  const store = openModelStore(config);
  const states = await Promise.all(
    neededModels(tiers, config.maxWhisper).map(async (id) => ({
      id,
      state: await store.state(id).catch(() => 'damaged'),
    })),
  );
  const lacking = states.filter(({ state }) => state !== 'ready');
  const finding = (verdict: Finding['verdict'], says: string): Finding => ({ what: 'models', verdict, says });
  if (lacking.length === 0)
    return { finding: finding('ok', `${states.length} ready in ${config.modelsDir}`), missingBytes: 0 };
  const names = lacking.map(({ id, state }) => `${id} (${state})`).join(', ');
  // A model takes its own size once more while it is compiled.
  const missingBytes = 2 * lacking.reduce((sum, { id }) => sum + modelBytes(store.model(id)), 0);
  if (await isWritable(config.modelsDir))
    return {
      finding: finding('warn', `${names}: the next start mends this, or run "faircopy models pull"`),
      missingBytes,
    };
  const says = `${names}, and ${config.modelsDir} cannot be written: run "faircopy models pull" where it can, or set FAIRCOPY_MODELS_DIR`;
  return { finding: finding('fail', says), missingBytes: 0 };
};
