// A gateway process: the real server without recognisers, with voice activity by loudness. Prints its address; answers
// each input line with its view of the cluster as JSON.
import { createInterface } from 'node:readline';
import { createApp } from '../../src/app/app.ts';
import { parseConfig } from '../../src/app/config.ts';
import type { RemotePool } from '../../src/cluster/gateway/remote-pool.ts';
import { waitingWindows } from '../../src/cluster/messages.ts';
import { clusterStatus } from '../../src/cluster/status.ts';
import { createLog } from '../../src/observability/log.ts';
import type { Recogniser } from '../../src/speech/recogniser.ts';
import { RecogniserSet } from '../../src/speech/recogniser-set.ts';
import { EnergyProbe } from '../../src/speech/testing/energy-probe.ts';
import { passthroughRefiner } from '../../src/transcription/testing/passthrough-refiner.ts';

export interface GatewayFigures {
  readonly workers: readonly { readonly id: string; readonly state: string }[];
  readonly credits: number;
  readonly running: number;
  readonly waiting: number;
}

let pool: RemotePool | undefined;
const engineWith = (workers: Recogniser | undefined) => {
  pool = workers as RemotePool;
  return {
    recogniser: new RecogniserSet({ ...(workers && { workers }) }),
    openVoiceProbe: () => new EnergyProbe(),
    ready: async () => {},
    close: () => workers?.close() ?? Promise.resolve(),
  };
};
const config = parseConfig(process.env);
const app = await createApp(config, { log: createLog(config), engine: engineWith, refiner: passthroughRefiner });
const address = await app.listen();
await app.warm();
process.stdout.write(`${address}\n`);

const figures = (): GatewayFigures => ({
  workers: clusterStatus(pool!, true).workers,
  credits: pool!.credits,
  running: pool!.running,
  waiting: waitingWindows(pool!.state),
});

process.on('SIGTERM', () => void app.close().then(() => process.exit(0)));
// The parent is gone when the pipe closes.
for await (const _line of createInterface(process.stdin)) process.stdout.write(`${JSON.stringify(figures())}\n`);
process.exit(0);
