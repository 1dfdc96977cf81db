// Formats the figures of a simulation for its report.
import { mean } from '../overload/figures.ts';
import { GREEDY } from './callers.ts';
import { spread } from './figures.ts';
import { costPerAudioHour, type Prices } from './prices.ts';
import type { Scenario } from './scenarios.ts';
import type { Run } from './simulate.ts';

const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`;
const rounded = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(2);

export interface Line {
  readonly name: string;
  readonly value: string;
}

export const report = (run: Run, scenario: Scenario, prices: Prices): readonly Line[] => {
  const { plan, figures, nats } = run;
  const lines: Line[] = [];
  const line = (name: string, value: string) => lines.push({ name, value });
  line('utilisation', percent(figures.busyMs / figures.slotMs));
  line('audio recognised per second', `${rounded(figures.audioSeconds / plan.seconds)} s`);
  for (const [tier, waits] of [...figures.waits].sort(([one], [other]) => (one < other ? -1 : 1)))
    line(`wait of ${tier}`, `p50 ${rounded(waits.percentile(0.5))} ms, p99 ${rounded(waits.percentile(0.99))} ms`);
  line('refused', `${percent(figures.refusals / Math.max(1, figures.attempts))} of attempts`);
  line('given up', `${figures.givenUp} of ${figures.requests} requests`);
  const before = figures.utilisationAtRefusal;
  line('utilisation before the first refusal', before === undefined ? 'nothing was refused' : percent(before));
  const shares = sharesOf(figures.byAccount);
  line('accounts, by work', `at most ${percent(spread(shares))} from their mean`);
  const weighted = percent(spread(sharesOf(figures.weightedByAccount)));
  line('accounts, by work over the weight of the tier', `at most ${weighted} from their mean`);
  const greedy = figures.byAccount.get(GREEDY);
  if (greedy !== undefined) line('greedy account', `${rounded(greedy / mean(shares))} times the mean of the others`);
  line('gateways', `at most ${percent(spread([...figures.byGateway.values()]))} from their mean`);
  line('windows', `${figures.windows.toLocaleString('en-US')}, ${figures.failedWindows} failed`);
  const losses = [...figures.losses].map(([reason, count]) => `${count} ${reason}`);
  line('redeliveries', losses.join(', ') || 'none');
  if (figures.cutRequests > 0) line('requests cut with their gateway', String(figures.cutRequests));
  if (scenario.faultAfterSeconds !== undefined)
    line('recovery', `${figures.recovery(plan.warmUpSeconds + scenario.faultAfterSeconds)} s`);
  const perServer = nats.perServer.map((count) => count / plan.seconds);
  line('messages per second per NATS server', rounded(Math.max(...perServer)));
  const all = total(run);
  line('messages delivered per window', rounded(all.delivered / Math.max(1, figures.windows)));
  for (const [kind, { delivered, bytes }] of nats.counts)
    line(`- ${kind}`, `${rounded(delivered / plan.seconds)}/s, ${rounded(bytes / plan.seconds / 1e6)} MB/s`);
  const beats = heartbeats(run);
  line(
    'heartbeats',
    `${percent(beats.bytes / all.bytes, 2)} of the bytes, ${percent(beats.delivered / all.delivered)} of the messages`,
  );
  const { perHour, currency } = costPerAudioHour(run, prices);
  line('cost per audio hour', `${perHour.toFixed(4)} ${currency}`);
  return lines;
};

const sharesOf = (sums: ReadonlyMap<string, number>): readonly number[] =>
  [...sums].filter(([account]) => account !== GREEDY).map(([, seconds]) => seconds);

const total = ({ nats }: Run): { delivered: number; bytes: number } => {
  const sum = { delivered: 0, bytes: 0 };
  for (const { delivered, bytes } of nats.counts.values()) {
    sum.delivered += delivered;
    sum.bytes += bytes;
  }
  return sum;
};

const heartbeats = ({ nats }: Run): { delivered: number; bytes: number } => {
  const sum = { delivered: 0, bytes: 0 };
  for (const kind of ['worker heartbeat', 'gateway heartbeat'] as const) {
    sum.delivered += nats.counts.get(kind)?.delivered ?? 0;
    sum.bytes += nats.counts.get(kind)?.bytes ?? 0;
  }
  return sum;
};
