// `faircopy check`: shows the configuration, and whether this machine can run it.
import type { Config } from '../../app/config.ts';
import type { Finding } from '../check/finding.ts';
import { type ConfigureCommand, EXIT } from '../command.ts';
import { printJson, sanitise } from '../output.ts';

const WORKER_WITHOUT_NATS: Finding = { what: 'NATS', verdict: 'fail', says: 'a worker needs NATS_URL' };

const findingsOf = async (config: Config, isWorker: boolean): Promise<Finding[]> => {
  const [machine, { address }, stores, { nats, remoteTiers }] = await Promise.all([
    import('../check/machine.ts'),
    import('../check/address.ts'),
    import('../check/stores.ts'),
    import('../check/cluster.ts'),
  ]);
  const [models, speakers, database, port, cluster, remote] = await Promise.all([
    stores.models(config, isWorker),
    isWorker ? [] : stores.speakers(config),
    isWorker ? [] : stores.database(config),
    address(config),
    nats(config, isWorker),
    remoteTiers(config),
  ]);
  const disk = await machine.diskSpace(config, models.missingBytes);
  return [
    ...machine.settings(process.env),
    machine.nodeVersion(),
    machine.memory(),
    ...disk,
    models.finding,
    ...[speakers, database, port].flat(),
    ...cluster,
    ...remote,
    ...(isWorker && config.natsUrl === undefined ? [WORKER_WITHOUT_NATS] : []),
  ];
};

const showConfig = async (config: Config): Promise<void> => {
  const { SETTINGS } = await import('../../app/config.ts');
  const width = Math.max(...SETTINGS.map(([, { env }]) => env.length));
  for (const [name, setting] of SETTINGS) {
    const isSet = Boolean(process.env[setting.env]);
    const value = config[name];
    const shown = setting.secret ? (isSet ? 'set' : 'not set') : String(value ?? 'not set');
    console.log(`  ${setting.env.padEnd(width)}  ${shown}${isSet ? '' : '  (default)'}`);
  }
};

const MARK: Record<Finding['verdict'], string> = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' };

const showFindings = (findings: readonly Finding[]): void => {
  for (const { what, verdict, says } of findings)
    console.log(`  ${MARK[verdict]}  ${what.padEnd(9)} ${sanitise(says)}`);
};

const check = async (options: { json?: boolean; ledger?: boolean; worker?: boolean }): Promise<void> => {
  const [{ parseConfig }, { ConfigFault }] = await Promise.all([
    import('../../app/config.ts'),
    import('../../config/parse.ts'),
  ]);
  let config: Config;
  try {
    config = parseConfig(process.env);
  } catch (thrown) {
    if (!(thrown instanceof ConfigFault)) throw thrown;
    if (options.json) await printJson({ faults: thrown.faults });
    else console.error(thrown.message);
    process.exitCode = EXIT.config;
    return;
  }
  const findings = options.ledger
    ? await (await import('../check/ledger.ts')).ledger(config)
    : await findingsOf(config, options.worker === true);
  if (options.json) await printJson({ findings });
  else if (options.ledger) showFindings(findings);
  else {
    console.log('Configuration');
    await showConfig(config);
    console.log('\nMachine');
    showFindings(findings);
  }
  if (findings.some(({ verdict }) => verdict === 'fail')) process.exitCode = EXIT.unavailable;
};

export const configureCheck: ConfigureCommand = (command) => {
  command
    .option('--ledger', 'check only that the usage rows of every account form an unbroken chain')
    .option('--json', 'print the findings as JSON')
    .option('--worker', 'check what a worker needs: models and NATS, no database')
    .action(check);
};
