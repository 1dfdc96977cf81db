// The figures of `faircopy doctor` as text.
import { formatTable } from '../output.ts';
import type { TierFigures } from './measure.ts';
import type { ModelFigures } from './measure-models.ts';

export interface Findings {
  readonly tiers: readonly TierFigures[];
  readonly models: readonly ModelFigures[];
  readonly recognisers: number;
  readonly memoryBytes: number;
  /** Recognisers with one more core or gigabyte. */
  readonly withOneMoreCore: number;
  readonly withOneMoreGigabyte: number;
}

const GIGABYTE = 2 ** 30;
/** Live speech comes in bursts: above this load, answers are late. */
const BUSY_SHARE_MAX = 0.7;

/** Above this share of the cores, other programs take time from the measurement. */
const OTHER_LOAD_MAX = 0.5;

/** A warning when the machine does other work; null when it is idle enough. */
export const busyNotice = (load: number, cores: number): string | null =>
  load <= OTHER_LOAD_MAX * cores
    ? null
    : `The machine is busy (load ${load.toFixed(1)} on ${cores} cores), so the figures will be too low.`;

/** Speed relative to real time. */
export const describeSpeed = (speed: number): string => `${speed.toFixed(speed < 10 ? 1 : 0)} × real time`;

export const describeFindings = (findings: Findings, cores: number): string => {
  const columns = [
    { title: 'tier', value: ({ tier }: TierFigures) => tier },
    { title: 'audio hours per hour', value: ({ speed }: TierFigures) => speed.toFixed(1) },
    { title: 'live streams', value: ({ speed }: TierFigures) => Math.floor(speed * BUSY_SHARE_MAX) },
    {
      title: 'single recording',
      value: ({ aloneMs, aloneSpeechSeconds }: TierFigures) =>
        `${aloneSpeechSeconds.toFixed(0)} s in ${(aloneMs / 1000).toFixed(1)} s`,
    },
  ];
  const gigabytes = (findings.memoryBytes / GIGABYTE).toFixed(1);
  const recognisers = findings.recognisers === 1 ? '1 recogniser' : `${findings.recognisers} recognisers`;
  const table = formatTable(findings.tiers, columns, true);
  const models = formatTable(
    findings.models,
    [
      { title: 'model alone', value: ({ model }) => model },
      { title: 'speed', value: ({ speed }) => describeSpeed(speed) },
    ],
    true,
  );
  return `${table}\n${models}\n${recognisers} on ${cores} cores, ${gigabytes} GB in use.\n${bottleneck(findings)}\n`;
};

const bottleneck = ({ recognisers, withOneMoreCore, withOneMoreGigabyte }: Findings): string => {
  const percent = (more: number) => `about ${Math.round((100 * (more - recognisers)) / recognisers)} % more`;
  const core = `One more core gives ${withOneMoreCore > recognisers ? percent(withOneMoreCore) : 'nothing by itself'}`;
  const memory = `one more GB ${withOneMoreGigabyte > recognisers ? percent(withOneMoreGigabyte) : 'nothing by itself'}`;
  const limit =
    withOneMoreCore > recognisers
      ? 'cores'
      : withOneMoreGigabyte > recognisers
        ? 'memory'
        : 'both cores and memory, or FAIRCOPY_RECOGNISERS';
  return `Limited by: ${limit}. ${core}, ${memory}.`;
};
