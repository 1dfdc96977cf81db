// `faircopy serve`: runs the server until a signal stops it.
import type { App } from '../../app/app.ts';
import type { Config } from '../../app/config.ts';
import { BUILD } from '../../lib/process/version.ts';
import type { StoreEvent } from '../../speech/store/store.ts';
import { type ConfigureCommand, EXIT } from '../command.ts';
import { databaseSentence } from '../database-fault.ts';
import { checkAddresses, listen, runService, StartFailure } from '../start/run-service.ts';
import { shownUrl } from '../start/shown-url.ts';

const say = (text = ''): void => console.log(text);

const build = async (config: Config, onStore: (event: StoreEvent) => void): Promise<App> => {
  const [{ createApp }, { createLog }, { logForPeople }] = await Promise.all([
    import('../../app/app.ts'),
    import('../../observability/log.ts'),
    import('../../observability/log-lines.ts'),
  ]);
  const [{ NewerSchemaError }, { DataFolderInUseError }, { BackupError }, { ConfigFault }] = await Promise.all([
    import('../../storage/migrate.ts'),
    import('../../storage/files/data-folder-lock.ts'),
    import('../../storage/backup/backup.ts'),
    import('../../config/parse.ts'),
  ]);
  const log = createLog(config, process.stderr.isTTY ? logForPeople(process.stderr) : undefined);
  try {
    return await createApp(config, { log, onStore });
  } catch (thrown) {
    if (thrown instanceof DataFolderInUseError || thrown instanceof BackupError)
      throw new StartFailure(thrown.message, EXIT.unavailable);
    if (thrown instanceof NewerSchemaError || thrown instanceof ConfigFault)
      throw new StartFailure(thrown.message, EXIT.config);
    throw new StartFailure(databaseSentence(config, thrown), EXIT.unavailable);
  }
};

const warm = async (app: App): Promise<void> => {
  const startedMs = performance.now();
  try {
    await app.warm();
  } catch (thrown) {
    if (app.readiness.state === 'draining') return;
    // Callers can read this; the details are for the operator.
    app.readiness.failed('the models could not be loaded');
    throw new StartFailure((thrown as Error).message, EXIT.unavailable);
  }
  say(`Ready: the models were loaded in ${((performance.now() - startedMs) / 1000).toFixed(1)} s.`);
};

const greet = async (app: App, config: Config, url: string): Promise<void> => {
  const [{ welcome }, { nodeNameOf }] = await Promise.all([
    import('../start/welcome.ts'),
    import('../../storage/node-name.ts'),
  ]);
  const { models, firstStartFile: secretsFile } = config;
  try {
    await welcome(app.storage, { url, models, node: nodeNameOf(config, config.port), secretsFile }, say);
  } catch (thrown) {
    const { path, message } = thrown as NodeJS.ErrnoException;
    if (secretsFile === undefined || path !== secretsFile) throw thrown;
    throw new StartFailure(`FAIRCOPY_FIRST_START_FILE: ${message}.`, EXIT.config);
  }
};

const serve = (): Promise<void> =>
  runService(async (config, onService) => {
    const { storeProgress } = await import('../../speech/store/progress.ts');
    say(`Faircopy ${BUILD}`);
    say(`  database  ${config.databaseUrl === undefined ? config.dataDir : 'PostgreSQL (DATABASE_URL)'}`);
    say(`  models    ${config.models.join(', ')} in ${config.modelsDir}`);
    await checkAddresses(config);
    const progress = storeProgress(process.stderr);
    const app = await build(config, (event) => progress.report(event));
    onService(app);
    const url = shownUrl(config.publicUrl, await listen(app, config));
    say(`  address   ${url}\n`);
    say('Loading the models; the first start downloads them. Until then, requests are answered with 503.');
    await warm(app);
    progress.end();
    if (app.readiness.state === 'draining') return;
    await greet(app, config, url);
  });

export const configureServe: ConfigureCommand = (command) => {
  command.action(serve);
};
