// Shared by `serve` and `worker`: reads the configuration, listens, and stops on a signal.
import type { Config } from '../../app/config.ts';
import { listenFault, listenSentence } from '../../lib/net/listen-fault.ts';
import { letHeapGrow } from '../../lib/process/heap.ts';
import type { Log } from '../../observability/log.ts';
import { EXIT } from '../command.ts';

export interface Service {
  readonly log: Log;
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** A start that failed: a sentence for the operator, and the exit code. */
export class StartFailure extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

interface Stopper {
  readonly isStopping: boolean;
  /** Closes the service, then exits. */
  stop(exitCode: number): Promise<void>;
}

/**
 * Starts a service. `start` passes the service to `onService` as soon as it is made, so that signals and failures close
 * it. A failure is printed and ends the process.
 */
export const runService = async (
  start: (config: Config, onService: (service: Service) => void) => Promise<void>,
): Promise<void> => {
  letHeapGrow();
  let stopper: Stopper | undefined;
  try {
    const config = await readConfig();
    await start(config, (service) => {
      stopper = stopOnSignals(service, config);
    });
  } catch (thrown) {
    // A start that was stopped fails at its next step, since its parts are closed.
    if (stopper?.isStopping) return;
    if (!(thrown instanceof StartFailure)) throw thrown;
    console.error(thrown.message);
    await stopper?.stop(thrown.exitCode);
    // Work that has begun must not keep the process alive.
    process.exit(thrown.exitCode);
  }
};

const readConfig = async (): Promise<Config> => {
  const [{ parseConfig, unknownSettingsIn }, { ConfigFault }] = await Promise.all([
    import('../../app/config.ts'),
    import('../../config/parse.ts'),
  ]);
  try {
    const config = parseConfig(process.env);
    for (const sentence of unknownSettingsIn(process.env)) console.error(sentence);
    return config;
  } catch (thrown) {
    if (thrown instanceof ConfigFault) throw new StartFailure(thrown.message, EXIT.config);
    throw thrown;
  }
};

/** Fails before anything is created if an address cannot be listened on. */
export const checkAddresses = async (config: Config, { onlyMain = false } = {}): Promise<void> => {
  const { otherListeners } = await import('../../app/config.ts');
  const main = { address: config, setting: undefined };
  for (const { address, setting } of [main, ...(onlyMain ? [] : otherListeners(config))]) {
    const code = await listenFault(address.host, address.port);
    if (code !== null) throw new StartFailure(`${listenSentence(address, code, setting)}.`, EXIT.unavailable);
  }
};

export const listen = async (service: Service, config: Config): Promise<string> => {
  try {
    return await service.listen();
  } catch (thrown) {
    const { code = 'unknown' } = thrown as NodeJS.ErrnoException;
    throw new StartFailure(`${listenSentence(config, code)}.`, EXIT.unavailable);
  }
};

/** How often a server that npm started checks whether its parent still runs. */
const PARENT_CHECK_MS = 500;
const PARENT = process.ppid;

/** npx passes SIGTERM to a shell, which exits without passing it on; the server would keep running without a parent. */
const stopWithNpm = (stop: () => void): void => {
  if (process.env.npm_command === undefined) return;
  const timer = setInterval(() => {
    if (process.ppid === PARENT) return;
    clearInterval(timer);
    stop();
  }, PARENT_CHECK_MS);
  timer.unref();
};

/** npm repeats a Ctrl-C that the terminal sent to every process: one key press, two signals. */
const SAME_SIGNAL_MS = 2_000;

/** Stops the service on the first signal or an unhandled error; a later signal exits at once. */
const stopOnSignals = (service: Service, config: Config): Stopper => {
  let stopping: Promise<void> | undefined;
  let signalledMs = Number.NEGATIVE_INFINITY;
  const stop = (exitCode: number): Promise<void> => {
    stopping ??= service
      .close()
      .catch((err) => service.log.error({ err }, 'some parts did not close cleanly'))
      .finally(() => process.exit(exitCode));
    return stopping;
  };
  const onSignal = (signal: NodeJS.Signals | 'npm ended') => {
    if (performance.now() - signalledMs < SAME_SIGNAL_MS) return;
    if (stopping !== undefined) process.exit(EXIT.failed);
    signalledMs = performance.now();
    service.log.info({ signal, graceMs: config.shutdownGraceMs }, 'stopping; running requests may finish');
    void stop(EXIT.ok);
  };
  const onUnhandled = (err: unknown) => {
    // The state can no longer be trusted: running requests may finish, then a supervisor restarts the process.
    service.log.fatal({ err }, 'unhandled error');
    void stop(EXIT.software);
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  stopWithNpm(() => onSignal('npm ended'));
  process.on('unhandledRejection', onUnhandled).on('uncaughtException', onUnhandled);
  return {
    get isStopping() {
      return stopping !== undefined;
    },
    stop,
  };
};
