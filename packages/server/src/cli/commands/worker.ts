// `faircopy worker`: recognises windows for the servers that it finds over NATS, until a signal ends it.
import { letHeapGrow } from '../../lib/process/heap.ts';
import { type AddCommand, EXIT } from '../command.ts';
import { checkAddresses, endOnSignals, listen, readConfig, StartFailure } from '../start/run-service.ts';

const say = (text = ''): void => console.log(text);

const work = async (): Promise<void> => {
  letHeapGrow();
  let end: ((exitCode: number) => Promise<void>) | undefined;
  try {
    const config = await readConfig();
    if (config.natsUrl === undefined)
      throw new StartFailure(
        'A worker needs NATS_URL, the NATS server where its gateways are, such as nats://10.0.0.5:4222.',
        EXIT.config,
      );
    if (config.recognisers === 'none')
      throw new StartFailure('FAIRCOPY_RECOGNISERS: a worker without recognisers has nothing to lend.', EXIT.config);
    const [{ createWorker }, { createLog }, { logForPeople }, { storeProgress }, { VERSION }] = await Promise.all([
      import('../../app/worker.ts'),
      import('../../observability/log.ts'),
      import('../../observability/log-lines.ts'),
      import('../../speech/store/progress.ts'),
      import('../../lib/process/version.ts'),
    ]);
    say(`Faircopy ${VERSION}, worker`);
    say(`  models    ${config.models.join(', ')} in ${config.modelsDir}`);
    await checkAddresses(config, { hasAll: false });
    const log = createLog(config, process.stderr.isTTY ? logForPeople(process.stderr) : undefined);
    const progress = storeProgress(process.stderr);
    const worker = await createWorker(config, { log, onStore: (event) => progress.report(event) });
    end = endOnSignals(worker, config);
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
        ? 'Ready: slots are lent to every gateway that asks.'
        : 'The models are loaded. NATS cannot be reached yet; slots are lent as soon as it can.',
    );
  } catch (thrown) {
    if (!(thrown instanceof StartFailure)) throw thrown;
    console.error(thrown.message);
    await end?.(thrown.exitCode);
    // Whatever a start has begun: it ends here.
    process.exit(thrown.exitCode);
  }
};

export const addWorker: AddCommand = (program) => {
  program.command('worker').description('recognise speech for the servers at NATS_URL; needs no database').action(work);
};
