// `faircopy check`: the configuration as it is read, and whether this machine can run it.
import type { Config } from '../../app/config.ts';
import type { Finding } from '../check/finding.ts';
import { type AddCommand, EXIT } from '../command.ts';
import { harmless } from '../output.ts';

const WORKER_WITHOUT_NATS: Finding = { what: 'NATS', verdict: 'fail', says: 'a worker needs NATS_URL' };

const findingsOf = async (config: Config, isWorker: boolean): Promise<Finding[]> => {
  const [machine, { address }, stores, { nats, remoteTiers }] = await Promise.all([
    import('../check/machine.ts'),
    import('../check/address.ts'),
    import('../check/stores.ts'),
    import('../check/cluster.ts'),
  ]);
  const [models, database, port, ...elsewhere] = await Promise.all([
    ...([stores.models(config, isWorker), isWorker ? [] : stores.database(config), address(config)] as const),
    ...([nats(config), remoteTiers(config)] as const),
  ]);
  const disk = await machine.diskSpace(config, models.missingBytes);
  return [
    ...machine.settings(process.env),
    ...[machine.nodeVersion(), machine.memory(), ...disk],
    ...[models.finding, database, port, ...elsewhere].flat(),
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
    console.log(`  ${MARK[verdict]}  ${what.padEnd(9)} ${harmless(says)}`);
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
    if (options.json) console.log(JSON.stringify({ faults: thrown.faults }, null, 2));
    else console.error(thrown.message);
    process.exitCode = EXIT.config;
    return;
  }
  const findings = options.ledger
    ? await (await import('../check/ledger.ts')).ledger(config)
    : await findingsOf(config, options.worker === true);
  if (options.json) console.log(JSON.stringify({ findings }, null, 2));
  else if (options.ledger) showFindings(findings);
  else {
    console.log('Configuration');
    await showConfig(config);
    console.log('\nMachine');
    showFindings(findings);
  }
  if (findings.some(({ verdict }) => verdict === 'fail')) process.exitCode = EXIT.unavailable;
};

export const addCheck: AddCommand = (program) => {
  program
    .command('check')
    .description('show the configuration, and whether this machine can run it')
    .option('--ledger', "instead, whether every account's usage rows form an unbroken chain")
    .option('--json', 'findings as JSON')
    .option('--worker', 'check what a worker needs: models and NATS, no database')
    .action(check);
};
