// A worker process with tone recognisers, in supervised processes or on a timer. Prints its id; each input line is
// "garbage", "sense" or anything else, and is answered with its figures.

import { createInterface } from 'node:readline';
import { MODEL_IDS } from '@faircopy/contract';
import { parseConfig } from '../../src/app/config.ts';
import { createWorker } from '../../src/app/worker.ts';
import { createLog } from '../../src/observability/log.ts';
import { RecogniserPool } from '../../src/speech/pool/pool.ts';
import type { Recogniser, Recognition } from '../../src/speech/recogniser.ts';
import { TimedEngine } from '../overload/timed-engine.ts';
import { testProgram } from '../programs/test-program.ts';

export interface WorkerPlan {
  readonly kind: 'processes' | 'timer';
  readonly slots: number;
  readonly windowMs: number;
}

export interface WorkerFigures {
  readonly slots: number;
  readonly busy: number;
  readonly lent: number;
  readonly gateways: number;
}

const plan = JSON.parse(process.argv[2]!) as WorkerPlan;
const entry = testProgram(new URL('../kills/recogniser-process.js', import.meta.url));
const init = { folders: {}, tiers: MODEL_IDS, threads: 1 };
const processes = Array.from({ length: plan.slots }, () => init);
const inner: Recogniser =
  plan.kind === 'processes'
    ? new RecogniserPool({ entry, processes, rssBytesMax: Number.POSITIVE_INFINITY })
    : new TimedEngine({ slots: plan.slots, windowMs: plan.windowMs, audioSecondMs: 0 }).recogniser;

let isGarbage = false;
const recogniser = {
  slots: plan.slots,
  load: async () => {
    if (!(inner instanceof RecogniserPool)) return;
    inner.start();
    await inner.ready();
  },
  recognise: async (...asked: Parameters<Recogniser['recognise']>): Promise<Recognition> => {
    const recognition = await inner.recognise(...asked);
    return isGarbage ? ({ ...recognition, text: 7 } as unknown as Recognition) : recognition;
  },
  close: () => inner.close(),
};
const config = parseConfig(process.env);
const worker = await createWorker(config, { log: createLog(config), recogniser });
await worker.warm();
process.stdout.write(`${worker.id}\n`);

process.on('SIGTERM', () => void worker.close().then(() => process.exit(0)));
for await (const line of createInterface(process.stdin)) {
  if (line === 'garbage' || line === 'sense') isGarbage = line === 'garbage';
  process.stdout.write(`${JSON.stringify(worker.figures satisfies WorkerFigures)}\n`);
}
process.exit(0);
