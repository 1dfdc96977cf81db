// `npm run fuzz -- --seconds 120 --seed 1 --target ogg`: guided fuzzing of everything that reads bytes from outside.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runTarget } from './run-target.ts';
import { FUZZ_TARGETS } from './targets/all.ts';

const { values } = parseArgs({
  options: {
    /** Total for all targets; each gets an equal share. */
    seconds: { type: 'string', default: process.env.FUZZ_SECONDS ?? '120' },
    seed: { type: 'string', default: '1' },
    target: { type: 'string', multiple: true },
    /** Repeats rounds until interrupted; each round starts from what earlier rounds found. */
    continue: { type: 'boolean', default: false },
  },
});

/** Keeps found inputs between runs with --continue; not part of the repository. */
const KEEP_IN = fileURLToPath(new URL('../../../../../.fuzz', import.meta.url));

const names = values.target ?? [...FUZZ_TARGETS.keys()];
const unknown = names.filter((name) => !FUZZ_TARGETS.has(name));
if (unknown.length > 0) {
  console.error(`unknown target ${unknown.join(', ')}; the targets are ${[...FUZZ_TARGETS.keys()].join(', ')}`);
  process.exit(64);
}

const round = async (seed: number): Promise<number> => {
  let faults = 0;
  let inputs = 0;
  console.log(
    '| target | inputs | per second | code reached (characters) | slowest ms | faults |\n|---|---|---|---|---|---|',
  );
  for (const target of names) {
    const startMs = performance.now();
    const seconds = Number(values.seconds) / names.length;
    const report = await runTarget({ target, seed, seconds, keepIn: values.continue ? KEEP_IN : undefined });
    const perSecond = report.inputs / ((performance.now() - startMs) / 1000);
    const slowest = report.slowestMs.toFixed(0);
    console.log(
      `| ${target} | ${report.inputs} | ${perSecond.toFixed(0)} | ${report.reached} | ${slowest} | ${report.faults.length} |`,
    );
    for (const fault of report.faults) console.log(fault);
    faults += report.faults.length;
    inputs += report.inputs;
  }
  console.log(`${inputs} inputs from seed ${seed}, ${faults} faults`);
  return faults;
};

let faults = 0;
for (let seed = Number(values.seed); ; seed += 1_000) {
  faults += await round(seed);
  if (!values.continue) break;
}
process.exitCode = faults > 0 ? 1 : 0;
