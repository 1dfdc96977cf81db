// Runs many workers of one slot each in one process, with recognisers that only wait: only their messages cost CPU.
import { MODEL_IDS } from '@faircopy/contract';
import { NatsBus } from '../../src/cluster/nats-bus.ts';
import { Refusals } from '../../src/cluster/refusals.ts';
import { natsConfig } from '../../src/cluster/testing/parties.ts';
import { WorkerLink } from '../../src/cluster/worker/worker-link.ts';
import { VERSION } from '../../src/lib/process/version.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { TimedEngine } from '../overload/timed-engine.ts';

const { url, workers, windowMs } = JSON.parse(process.argv[2]!) as { url: string; workers: number; windowMs: number };
for (let nth = 0; nth < workers; nth++) {
  const name = `worker ${process.pid}.${nth}`;
  const bus = new NatsBus(natsConfig(url), name, { warn: () => {}, info: () => {} });
  const { recogniser } = new TimedEngine({ slots: 1, windowMs, audioSecondMs: 0 });
  const refusals = new Refusals({ count: () => {}, log: (_facts, line) => console.error(line) });
  const observer = { windowEnded: () => {} };
  await bus.start();
  new WorkerLink({
    bus,
    recogniser,
    name,
    refusals,
    observer,
    tiers: MODEL_IDS,
    version: VERSION,
    clock: systemClock,
  }).start();
}
process.stdout.write('ready\n');
process.stdin.resume().on('end', () => process.exit(0));
