// `faircopy check`: the configuration as it is read, and whether this machine can run it.
import { createServer } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';
import type { Config } from '../../platform/config.ts';
import { type AddCommand, EXIT } from '../command.ts';

type Verdict = 'ok' | 'warn' | 'fail';

interface Finding {
  readonly what: string;
  readonly verdict: Verdict;
  readonly says: string;
}

const GIGABYTE = 2 ** 30;
/** All three tiers and the server need about this much; see docs/decisions/recogniser-processes.md. */
const MEMORY_BYTES_MIN = 4 * GIGABYTE;

const nodeVersion = (): Finding => {
  const major = Number(process.versions.node.split('.')[0]);
  return { what: 'node', verdict: major >= 20 ? 'ok' : 'fail', says: `${process.version}, 20 or newer is needed` };
};

const memory = (): Finding => ({
  what: 'machine',
  verdict: totalmem() >= MEMORY_BYTES_MIN ? 'ok' : 'warn',
  says: `${availableParallelism()} cores, ${(totalmem() / GIGABYTE).toFixed(1)} GB of memory; all tiers want 4 GB`,
});

const port = ({ host, port: number }: Config): Promise<Finding> =>
  new Promise((resolve) => {
    const probe = createServer();
    const where = `${host}:${number}`;
    probe.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve({ what: 'port', verdict: 'fail', says: `${where} cannot be listened on (${code}); set PORT or HOST` }),
    );
    probe.listen({ host, port: number, exclusive: true }, () =>
      probe.close(() => resolve({ what: 'port', verdict: 'ok', says: `${where} is free` })),
    );
  });

const database = async (config: Config): Promise<Finding> => {
  const where = config.databaseUrl === undefined ? `SQLite in ${config.dataDir}` : 'PostgreSQL (DATABASE_URL)';
  const { openStorage } = await import('../../storage/open.ts');
  try {
    const storage = await openStorage(config);
    await storage.close();
    return { what: 'database', verdict: 'ok', says: `${where}, schema up to date` };
  } catch (thrown) {
    return { what: 'database', verdict: 'fail', says: `${where}: ${(thrown as Error).message}` };
  }
};

const models = async (config: Config): Promise<Finding> => {
  const [{ openModelStore }, { neededModels }] = await Promise.all([
    import('../../speech/store/open.ts'),
    import('../../speech/store/needed.ts'),
  ]);
  const store = openModelStore(config);
  const states = await Promise.all(
    neededModels(config.models).map(async (id) => ({ id, state: await store.state(id).catch(() => 'damaged') })),
  );
  const lacking = states.filter(({ state }) => state !== 'ready');
  if (lacking.length === 0)
    return { what: 'models', verdict: 'ok', says: `${states.length} ready in ${config.modelsDir}` };
  const names = lacking.map(({ id, state }) => `${id} (${state})`).join(', ');
  return {
    what: 'models',
    verdict: 'warn',
    says: `${names}: the next start mends this, or run "faircopy models pull"`,
  };
};

const showConfig = async (config: Config): Promise<void> => {
  const { SETTINGS } = await import('../../platform/config.ts');
  const width = Math.max(...Object.values(SETTINGS).map(({ env }) => env.length));
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const isSet = Boolean(process.env[setting.env]);
    const value = config[name as keyof Config];
    const shown = 'secret' in setting && setting.secret ? (isSet ? 'set' : 'not set') : String(value ?? 'not set');
    console.log(`  ${setting.env.padEnd(width)}  ${shown}${isSet ? '' : '  (default)'}`);
  }
};

const MARK: Record<Verdict, string> = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' };

const check = async (options: { json?: boolean }): Promise<void> => {
  const { ConfigFault, parseConfig } = await import('../../platform/config.ts');
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
  const findings = [nodeVersion(), memory(), ...(await Promise.all([models(config), database(config), port(config)]))];
  if (options.json) console.log(JSON.stringify({ findings }, null, 2));
  else {
    console.log('Configuration');
    await showConfig(config);
    console.log('\nMachine');
    for (const { what, verdict, says } of findings) console.log(`  ${MARK[verdict]}  ${what.padEnd(9)} ${says}`);
  }
  if (findings.some(({ verdict }) => verdict === 'fail')) process.exitCode = EXIT.unavailable;
};

export const addCheck: AddCommand = (program) => {
  program
    .command('check')
    .description('show the configuration, and whether this machine can run it')
    .option('--json', 'findings as JSON')
    .action(check);
};
