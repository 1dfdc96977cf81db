// Checks the database and the model store without changing them.
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../app/config.ts';
import type { Finding } from './finding.ts';
import { withParents } from './parents.ts';

/** Whether a path is writable, or can be created in its nearest existing parent. */
const isWritable = async (folder: string): Promise<boolean> => {
  for (const path of withParents(folder)) {
    const code = await access(path, constants.W_OK).then(
      () => null,
      (cause: NodeJS.ErrnoException) => cause.code,
    );
    if (code !== 'ENOENT') return code === null;
  }
  return false;
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
      return finding('fail', `${where}: not writable; make it writable for this user, or set FAIRCOPY_DATA_DIR`);
    if (version === null) return finding('ok', `${where}: none yet; the first start creates it`);
    if (isSqlite && (await hasStagedRestore(config.dataDir)))
      return finding('warn', `${where}: the next start replaces it with the backup staged by "faircopy restore"`);
    if (version < SCHEMA_VERSION)
      return finding('ok', `${where}: schema version ${version}; the next start migrates it to ${SCHEMA_VERSION}`);
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
  const [{ openModelStore }, { neededModels }, { modelBytes }, { localTiers }, { configuredTiers }] = await Promise.all(
    [
      import('../../speech/store/open.ts'),
      import('../../speech/store/needed.ts'),
      import('../../speech/store/catalogue.ts'),
      import('../../speech/engine.ts'),
      import('../../speech/cascade/chosen-models.ts'),
    ],
  );
  const tiers = isWorker ? config.models : localTiers(config);
  const store = openModelStore(config);
  const states = await Promise.all(
    neededModels(tiers, configuredTiers(config, store.catalogue)).map(async (id) => ({
      id,
      state: await store.state(id).catch(() => 'damaged'),
    })),
  );
  const notReady = states.filter(({ state }) => state !== 'ready');
  const finding = (verdict: Finding['verdict'], says: string): Finding => ({ what: 'models', verdict, says });
  if (notReady.length === 0)
    return { finding: finding('ok', `${states.length} ready in ${config.modelsDir}`), missingBytes: 0 };
  const names = notReady.map(({ id, state }) => `${id} (${state})`).join(', ');
  // Compiling a model needs as much space again.
  const missingBytes = 2 * notReady.reduce((sum, { id }) => sum + modelBytes(store.model(id)), 0);
  if (await isWritable(config.modelsDir))
    return {
      finding: finding('warn', `${names}: the next start downloads them, or run "faircopy models pull"`),
      missingBytes,
    };
  const says = `${names}, and ${config.modelsDir} is not writable: run "faircopy models pull" as a user who may write there, or set FAIRCOPY_MODELS_DIR`;
  return { finding: finding('fail', says), missingBytes: 0 };
};

/** Speakers are optional, so their models are pulled by the first request that asks for them. */
export const speakers = async (config: Config): Promise<Finding> => {
  const [{ openModelStore }, { chosenEmbedding }, { SPEAKER_WEIGHTS, WITHOUT_SEGMENTATION }] = await Promise.all([
    import('../../speech/store/open.ts'),
    import('../../speech/cascade/chosen-models.ts'),
    import('../../speech/speakers/families.ts'),
  ]);
  const store = openModelStore(config);
  const missing: string[] = [];
  const embedding = chosenEmbedding(config.modelsDir, store.catalogue);
  for (const id of [embedding.id, SPEAKER_WEIGHTS.segmentation])
    if ((await store.state(id).catch(() => 'damaged')) !== 'ready') missing.push(id);
  const isWithout = missing.includes(SPEAKER_WEIGHTS.segmentation);
  const models =
    missing.length === 0 ? 'models ready' : `${missing.join(', ')}: pulled by the first request for speakers`;
  const without = isWithout ? `; without ${SPEAKER_WEIGHTS.segmentation}, ${WITHOUT_SEGMENTATION}` : '';
  return { what: 'speakers', verdict: 'ok', says: `embeddings of ${embedding.id}; ${models}${without}` };
};
