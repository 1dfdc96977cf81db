// `npm run test:soak -- --minutes 120` or `-- --cycles 10000`: checks for leaks over a long run.
import { parseArgs } from 'node:util';
import { figuresTable } from '../overload/figures.ts';
import { soak, streamCycles } from './soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    /** Runs only this many stream cycles. */
    cycles: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});

const figures =
  values.cycles === undefined
    ? await soak(Number(values.minutes), Number(values.seed))
    : await streamCycles(Number(values.cycles));
console.log(figuresTable(figures));
process.exit(figures.every(({ met }) => met) ? 0 : 1);
