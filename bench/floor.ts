// The floor under the service: what the bare model calls take for the same audio.
import { fileURLToPath } from 'node:url';
import type { ModelId } from '@faircopy/contract';
import { parseConfig } from '@faircopy/server/dist/src/platform/config.js';
import { poolShape } from '@faircopy/server/dist/src/speech/engine.js';
import { type Clip, secondsOf } from './clips.ts';
import { sum } from './figures.ts';
import { Helper } from './helper.ts';
import type { RawAnswer, RawQuestion } from './raw-child.ts';
import { asSent } from './speech.ts';

const RAW_CHILD = fileURLToPath(new URL('./raw-child.js', import.meta.url));

/** Seconds for a second of audio. */
export interface Floor {
  readonly wall: number;
  readonly cpu: number;
}

export type Raw = Helper<RawQuestion, RawAnswer>;

/** The threads of each recogniser's encoder, as the service would have them in this environment. */
const shape = (): readonly number[] => poolShape(parseConfig(process.env));

export const openRaw = async (
  tiers: readonly ModelId[],
  threads = shape()[0] ?? 1,
): Promise<{ raw: Raw; loads: RawAnswer }> => {
  const raw: Raw = new Helper(RAW_CHILD);
  try {
    return { raw, loads: await raw.ask({ tiers, threads }) };
  } catch (cause) {
    await raw.stop();
    throw cause;
  }
};

/** As many as the service has recognisers: at work together they share cores, caches and memory as those do. */
export const openRaws = async (tier: ModelId): Promise<readonly Raw[]> => {
  const raws: Raw[] = [];
  try {
    for (const threads of shape()) raws.push((await openRaw([tier], threads)).raw);
    return raws;
  } catch (cause) {
    for (const raw of raws) await raw.stop();
    throw cause;
  }
};

/** What the model calls take for a second of audio of these clips: each process has one clip after the other. */
export const floorOf = async (raws: readonly Raw[], tier: ModelId, clips: readonly Clip[]): Promise<Floor> => {
  const waiting = [...clips];
  const total = { wallMs: 0, cpuMs: 0 };
  const work = async (raw: Raw): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { calls } = (await raw.ask({ tier, samples: asSent(next.samples) })).recognition;
      total.wallMs += calls.wallMs;
      total.cpuMs += calls.cpuMs;
    }
  };
  await Promise.all(raws.map(work));
  const audioSeconds = sum(clips.map(secondsOf));
  // Side by side, so that the time that passes is the share of one of them.
  return { wall: total.wallMs / raws.length / 1000 / audioSeconds, cpu: total.cpuMs / 1000 / audioSeconds };
};
