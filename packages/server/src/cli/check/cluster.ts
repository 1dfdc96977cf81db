// Checks NATS and its rules, and the servers of remote tiers.
import type { Config } from '../../app/config.ts';
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import type { Finding } from './finding.ts';

const CONNECT_MS = 3_000;
/** Two heartbeats: every gateway and worker has sent one by then. */
const LISTEN_MS = 1_200;

const reasonOf = (thrown: unknown): string => {
  const { message, code } = thrown as NodeJS.ErrnoException;
  // A finding has one line.
  return (message || code || String(thrown)).replaceAll(/\s*\n\s*/g, ' ');
};

/** Checks whether NATS is reachable, accepts messages as large as windows and requires credentials, and its members. */
export const nats = async (config: Config, isWorker: boolean): Promise<Finding[]> => {
  if (config.natsUrl === undefined) return [];
  const [{ natsOptions }, { ruleFaults, rulesOf }, { connect }, { discoverMembers }, members] = await Promise.all([
    import('../../cluster/nats-options.ts'),
    import('../../cluster/nats-bus.ts'),
    import('@nats-io/transport-node'),
    import('../../cluster/discover-members.ts'),
    import('./members.ts'),
  ]);
  const finding = (verdict: Finding['verdict'], says: string): Finding => ({ what: 'NATS', verdict, says });
  try {
    const options = await natsOptions(config, 'faircopy check');
    const connection = await connect({ ...options, timeout: CONNECT_MS, reconnect: false });
    try {
      const rules = rulesOf(connection);
      const { fault, warning } = ruleFaults(rules);
      const found = await discoverMembers(connection, { listenMs: LISTEN_MS, isWorker });
      const where = `${connection.getServer()}, messages up to ${rules.maxPayload} bytes`;
      return [
        fault ? finding('fail', fault) : finding('ok', where),
        ...(warning ? [finding('warn', warning)] : []),
        ...(isWorker ? members.gatewaysFor(found) : members.workersFor(config, found)),
      ];
    } finally {
      await connection.close();
    }
  } catch (thrown) {
    return [finding('fail', `cannot be used: ${reasonOf(thrown)}; check NATS_URL and the other NATS settings`)];
  }
};

/** Sends a second of silence to the server of each remote tier. */
export const remoteTiers = async (config: Config): Promise<Finding[]> => {
  const [{ askRemote }, { readAnswer }] = await Promise.all([
    import('../../speech/remote-tier/transcription-request.ts'),
    import('../../speech/remote-tier/transcription-answer.ts'),
  ]);
  const tiers = config.models.filter((tier) => config.remoteTiers[tier] !== undefined);
  return Promise.all(
    tiers.map(async (tier): Promise<Finding> => {
      const settings = config.remoteTiers[tier]!;
      const where = `${tier} at ${settings.url}`;
      const job = {
        requestId: 'check',
        tier,
        samples: new Float32Array(SAMPLE_RATE_HZ),
        pausePositions: [],
        precedingText: null,
        language: null,
        languageHint: null,
        vocabulary: [],
        wantWordTimes: true,
      };
      try {
        const startedMs = performance.now();
        await readAnswer(await askRemote(job, settings, new AbortController().signal), job);
        const tookMs = Math.round(performance.now() - startedMs);
        return {
          what: 'remote',
          verdict: 'ok',
          says: `${where} answers in ${tookMs} ms; audio of this tier is sent there`,
        };
      } catch (thrown) {
        const verdict = settings.fallback ? 'warn' : 'fail';
        return { what: 'remote', verdict, says: `${where} cannot be used: ${reasonOf(thrown)}` };
      }
    }),
  );
};
