// `faircopy worker`: recognises windows for gateways over NATS until a signal stops it.
import { BUILD } from '../../lib/process/version.ts';
import { type ConfigureCommand, EXIT } from '../command.ts';
import { checkAddresses, listen, runService, StartFailure } from '../start/run-service.ts';

const say = (text = ''): void => console.log(text);

const work = (): Promise<void> =>
  runService(async (config, onService) => {
    if (config.natsUrl === undefined)
      throw new StartFailure(
        'A worker needs NATS_URL, the NATS server of its gateways, such as nats://10.0.0.5:4222.',
        EXIT.config,
      );
    if (config.recognisers === 'none')
      throw new StartFailure('FAIRCOPY_RECOGNISERS: "none" leaves a worker without recognisers.', EXIT.config);
    const [{ createWorker }, { createLog }, { logForPeople }, { storeProgress }] = await Promise.all([
      import('../../app/worker.ts'),
      import('../../observability/log.ts'),
      import('../../observability/log-lines.ts'),
      import('../../speech/store/progress.ts'),
    ]);
    say(`Faircopy ${BUILD}, worker`);
    say(`  models    ${config.models.join(', ')} in ${config.modelsDir}`);
    await checkAddresses(config, { onlyMain: true });
    const log = createLog(config, process.stderr.isTTY ? logForPeople(process.stderr) : undefined);
    const progress = storeProgress(process.stderr);
    const worker = await createWorker(config, { log, onStore: (event) => progress.report(event) });
    onService(worker);
    say(`  health    ${await listen(worker, config)}\n`);
    try {
      await worker.warm();
    } catch (thrown) {
      if (worker.readiness.state === 'draining') return;
      worker.readiness.failed('the worker could not start');
      const isSetting = (thrown as Error).name === 'ConfigFault';
      throw new StartFailure((thrown as Error).message, isSetting ? EXIT.config : EXIT.unavailable);
    }
    progress.end();
    say(
      worker.isConnected
        ? 'Ready: gateways can use the slots of this worker.'
        : 'The models are loaded. NATS cannot be reached yet; gateways can use this worker once it can.',
    );
  });

export const configureWorker: ConfigureCommand = (command) => {
  command.action(work);
};
