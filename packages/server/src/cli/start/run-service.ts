// What `serve` and `worker` share: reading the configuration, listening, and ending on a signal.
import type { Config } from '../../app/config.ts';
import type { Log } from '../../observability/log.ts';
import { EXIT } from '../command.ts';

/** A service that runs until it is told to end. */
export interface Service {
  readonly log: Log;
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** A start that cannot succeed: what to tell the operator, and the exit code. */
export class StartFailure extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const readConfig = async (): Promise<Config> => {
  const [{ parseConfig }, { ConfigFault }] = await Promise.all([
    import('../../app/config.ts'),
    import('../../config/parse.ts'),
  ]);
  try {
    return parseConfig(process.env);
  } catch (thrown) {
    if (thrown instanceof ConfigFault) throw new StartFailure(thrown.message, EXIT.config);
    throw thrown;
  }
};

/** Every listener of these settings, before anything is made: a start that cannot listen leaves nothing behind. */
export const checkAddresses = async (config: Config, { hasAll = true } = {}): Promise<void> => {
  const [{ listenFault, listenSentence }, { otherListeners }] = await Promise.all([
    import('../../lib/net/listen-fault.ts'),
    import('../../app/config.ts'),
  ]);
  const main = { address: config, setting: undefined };
  for (const { address, setting } of [main, ...(hasAll ? otherListeners(config) : [])]) {
    const code = await listenFault(address.host, address.port);
    if (code !== null) throw new StartFailure(`${listenSentence(address, code, setting)}.`, EXIT.unavailable);
  }
};

export const listen = async (service: Service, config: Config): Promise<string> => {
  try {
    return await service.listen();
  } catch (thrown) {
    const { listenSentence } = await import('../../lib/net/listen-fault.ts');
    const { code = 'unknown' } = thrown as NodeJS.ErrnoException;
    throw new StartFailure(`${listenSentence(config, code)}.`, EXIT.unavailable);
  }
};

/** npm passes on a Ctrl-C that the terminal has sent to every process already: one key press, two signals. */
const SAME_SIGNAL_MS = 2_000;

/** Ends the service on the first signal, at once on a later one, and when a bug was not caught. */
export const endOnSignals = (service: Service, config: Config): ((exitCode: number) => Promise<void>) => {
  let ending: Promise<void> | undefined;
  let signalledMs = Number.NEGATIVE_INFINITY;
  const end = (exitCode: number): Promise<void> => {
    ending ??= service
      .close()
      .catch((err) => service.log.error({ err }, 'some parts did not close cleanly'))
      .finally(() => process.exit(exitCode));
    return ending;
  };
  const onSignal = (signal: NodeJS.Signals) => {
    const isRepeated = performance.now() - signalledMs < SAME_SIGNAL_MS;
    if (isRepeated) return;
    if (ending !== undefined) process.exit(EXIT.failed);
    signalledMs = performance.now();
    service.log.info({ signal, graceMs: config.shutdownGraceMs }, 'stopping: running requests may finish');
    void end(EXIT.ok);
  };
  const onBug = (err: unknown) => {
    // State after a bug cannot be trusted: running requests may finish, then a supervisor starts afresh.
    service.log.fatal({ err }, 'a failure nobody handled');
    void end(EXIT.software);
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  process.on('unhandledRejection', onBug).on('uncaughtException', onBug);
  return end;
};
