// Runs the cluster in virtual time: `npm run simulate -- [scenario …] [--workers 100] [--seed 1] [--prices FILE]`.
import { parseArgs } from 'node:util';
import { usePlainAborts } from './plain-abort.ts';
import { DEFAULT_PLAN, type Plan } from './plan.ts';
import { readPrices } from './prices.ts';
import { report } from './report.ts';
import { SCENARIOS } from './scenarios.ts';
import { simulate } from './simulate.ts';
import { validate } from './validate.ts';

const NUMBERS = Object.keys(DEFAULT_PLAN) as (keyof Plan)[];
/** Options are the fields of the plan in kebab case. */
const optionOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    prices: { type: 'string' },
    ...Object.fromEntries(NUMBERS.map((name) => [optionOf(name), { type: 'string' }] as const)),
  },
});
const given: Partial<Record<keyof Plan, number>> = {};
for (const name of NUMBERS) {
  const text = (values as Record<string, string | undefined>)[optionOf(name)];
  if (text === undefined) continue;
  given[name] = Number(text);
  if (!Number.isFinite(given[name])) throw new Error(`--${optionOf(name)} is not a number: ${text}`);
}
if (positionals[0] === 'validate') process.exit((await validate(given.seconds ?? 60)) ? 0 : 1);
const prices = readPrices(values.prices ?? new URL('../../../test/simulate/prices.json', import.meta.url));
const names = positionals.length > 0 ? positionals : ['full'];
const unknown = names.filter((name) => !(name in SCENARIOS));
if (unknown.length > 0) {
  console.error(`Unknown scenario: ${unknown.join(', ')}. Scenarios:`);
  for (const [name, { about }] of Object.entries(SCENARIOS)) console.error(`  ${name}: ${about}`);
  console.error('  validate: compares predictions with measurements, with 1 to 8 worker processes');
  process.exit(1);
}

usePlainAborts();
for (const name of names) {
  const scenario = SCENARIOS[name]!;
  const plan: Plan = { ...DEFAULT_PLAN, ...scenario.plan, ...given };
  const startedMs = performance.now();
  const cpu = process.cpuUsage();
  const run = await simulate(plan, scenario.script);
  const { user, system } = process.cpuUsage(cpu);
  console.log(`\n## ${name}: ${scenario.about}\n`);
  console.log(
    `${plan.workers} workers × ${plan.slots} slots, ${plan.gateways} gateways, ${plan.streams} streams, ${plan.seconds} s, seed ${plan.seed}\n`,
  );
  console.log('| figure | value |\n|---|---|');
  for (const { name: figure, value } of report(run, scenario, prices)) console.log(`| ${figure} | ${value} |`);
  const wallSeconds = (performance.now() - startedMs) / 1000;
  console.log(
    `\nIt took ${wallSeconds.toFixed(0)} s, ${((user + system) / 1e6).toFixed(0)} s of CPU, ${run.time.eventCount.toLocaleString('en-US')} events.`,
  );
}
