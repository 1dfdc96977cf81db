// A worker process for `npm run simulate -- validate`: the real worker, with a recogniser that only waits.
import { createInterface } from 'node:readline';
import { parseConfig } from '../../src/app/config.ts';
import { createWorker } from '../../src/app/worker.ts';
import { SAMPLE_RATE_HZ } from '../../src/lib/sample-rate.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { systemTimers } from '../../src/lib/time/timers.ts';
import { createLog } from '../../src/observability/log.ts';
import { timedRecogniser } from './timed-recogniser.ts';

const { slots, speed } = JSON.parse(process.argv[2]!) as { slots: number; speed: number };
const recogniser = {
  ...timedRecogniser({
    time: { ...systemClock, ...systemTimers },
    random: Math.random,
    slots,
    speed,
    samplesPerSecond: SAMPLE_RATE_HZ,
    worked: () => {},
  }),
  load: async () => {},
};
const config = parseConfig(process.env);
const worker = await createWorker(config, { log: createLog(config), recogniser });
await worker.warm();
process.stdout.write('ready\n');
// The parent is gone when the pipe closes.
for await (const _line of createInterface(process.stdin)) process.stdout.write('\n');
await worker.close();
process.exit(0);
