// `npm run test:overload -- [--minutes 5] [--scenario crowd|held|hostile|jobs|sign-ins]`: load tests.
import { parseArgs } from 'node:util';
import { hostileContent } from './bombs.ts';
import { crowd } from './crowd.ts';
import { type Figure, figuresTable } from './figures.ts';
import { heldUploads, hostileUploads } from './hostile.ts';
import { signIns } from './sign-ins.ts';
import { waitingJobs } from './waiting-jobs.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    scenario: { type: 'string', multiple: true, default: ['crowd', 'held', 'hostile', 'jobs', 'sign-ins'] },
  },
});

const all: Figure[] = [];
for (const scenario of values.scenario) {
  let figures: readonly Figure[];
  console.log(`\n## ${scenario}\n`);
  if (scenario === 'crowd') {
    const report = await crowd(Number(values.minutes));
    figures = report.figures;
    for (const line of report.byKind) console.log(`- ${line}`);
    console.log();
  } else if (scenario === 'held') figures = await heldUploads();
  else if (scenario === 'hostile') figures = [...(await hostileContent()), ...(await hostileUploads())];
  else if (scenario === 'jobs') figures = await waitingJobs();
  else if (scenario === 'sign-ins') figures = await signIns();
  else throw new Error(`unknown scenario ${scenario}`);
  console.log(figuresTable(figures));
  all.push(...figures);
}
process.exit(all.every(({ met }) => met) ? 0 : 1);
