// Usage as consecutive periods: days, or weeks for long ranges. Days without requests are zero.
import type { UsageSummary } from '@faircopy/contract';

export interface Period {
  /** The first and the last day, UTC. */
  readonly from: string;
  readonly to: string;
  readonly billedSeconds: number;
  /** Excludes failed requests. */
  readonly audioSeconds: number;
  readonly failedAudioSeconds: number;
  readonly requests: number;
  readonly errors: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** More bars than this are too thin to distinguish. */
const BARS_MAX = 120;

export const dayText = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** The start of the last `days` days, today included. */
export const startOf = (days: number, nowMs = Date.now()): string =>
  `${dayText(nowMs - (days - 1) * DAY_MS)}T00:00:00.000Z`;

const NO_USAGE = { billed_seconds: 0, audio_seconds: 0, failed_audio_seconds: 0, requests: 0, errors: 0 };

export const periodsOf = (summary: UsageSummary['days'], days: number, nowMs = Date.now()): Period[] => {
  const known = new Map(summary.map((entry) => [entry.day, entry]));
  const daysPerBar = days > BARS_MAX ? 7 : 1;
  const periods: Period[] = [];
  // Counts back from today, so that the last bar is a whole week.
  for (let ago = 0; ago < days; ago += daysPerBar) {
    const inside = Array.from({ length: Math.min(daysPerBar, days - ago) }, (_, at) =>
      dayText(nowMs - (ago + at) * DAY_MS),
    );
    const sums = inside.map((day) => known.get(day) ?? NO_USAGE);
    periods.unshift({
      from: inside.at(-1)!,
      to: inside[0]!,
      billedSeconds: sums.reduce((sum, entry) => sum + entry.billed_seconds, 0),
      audioSeconds: sums.reduce((sum, entry) => sum + entry.audio_seconds - entry.failed_audio_seconds, 0),
      failedAudioSeconds: sums.reduce((sum, entry) => sum + entry.failed_audio_seconds, 0),
      requests: sums.reduce((sum, entry) => sum + entry.requests, 0),
      errors: sums.reduce((sum, entry) => sum + entry.errors, 0),
    });
  }
  return periods;
};
