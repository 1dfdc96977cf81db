// The capacity of one machine: audio hours per hour, and concurrent live streams. `faircopy doctor` estimates both.
import { setTimeout as later } from 'node:timers/promises';
import type { ModelId } from '@faircopy/contract';
import { clientOf, postClips } from '../clients.ts';
import { type Clip, clipsOfLength, secondsOf } from '../clips.ts';
import type { Cell } from '../markdown-table.ts';
import { pcm16 } from '../pcm-speech.ts';
import type { ServerProcess } from '../server-process.ts';
import { percentile } from '../statistics.ts';
import { framesOf, streamInRealTime } from '../stream-latency.ts';
import { measureTiers } from './measure-tiers.ts';
import type { Context, Section } from './section.ts';

const CLIP_SECONDS = 28;
const CLIENTS = 8;
/** A number of streams is sustained if this share of the results arrives within this time after the close, … */
const HELD_SHARE = 0.95;
const HELD_MS = 2_000;
/** … or within this multiple of the time of a single stream, if that is longer. */
const HELD_TIMES_ALONE = 2;
/** The start of the search, as a share of the speed of file mode, and the factor per step. */
const FIRST_SHARE = 0.7;
const STEP = 1.15;
const STEPS_MAX = 6;

/** Each speaker runs one stream after the other; starts are spread. Resolves to the p95 from close to result. */
const closeToResultMs = async (
  server: ServerProcess,
  model: ModelId,
  clips: readonly Clip[],
  count: number,
): Promise<number> => {
  const client = clientOf(server);
  const seconds = secondsOf(clips[0]!);
  const speak = async (nth: number): Promise<number[]> => {
    await later((nth / count) * seconds * 1000);
    const times: number[] = [];
    for (const round of [0, 1]) {
      const { samples } = clips[(2 * nth + round) % clips.length]!;
      // A refused stream is not sustained.
      const refused = () => Number.POSITIVE_INFINITY;
      times.push(await streamInRealTime(client, model, framesOf(pcm16(samples))).catch(refused));
    }
    return times;
  };
  const times = await Promise.all(Array.from({ length: count }, (_, nth) => speak(nth)));
  return percentile(times.flat(), HELD_SHARE);
};

/** The largest sustained number of streams, found in steps of 15 % up or down from the first guess. */
const streamsHeld = async (
  isHeld: (count: number) => Promise<boolean>,
  guess: number,
  stepsMax: number,
): Promise<number> => {
  let count = Math.max(1, Math.floor(guess));
  const grows = await isHeld(count);
  for (let step = 0; step < stepsMax; step += 1) {
    const next = grows ? Math.max(count + 1, Math.floor(count * STEP)) : Math.min(count - 1, Math.floor(count / STEP));
    if (next < 1) return 0;
    const held = await isHeld(next);
    if (grows && !held) return count;
    count = next;
    if (!grows && held) return count;
  }
  // No steps are left: going up, the last count was sustained; going down, none was.
  return grows ? count : 0;
};

const measure = async (context: Context, tier: ModelId, server: ServerProcess): Promise<Record<string, Cell>> => {
  const { sentences } = context.languages[0]!;
  const seconds = Math.min(CLIP_SECONDS, Math.max(...context.lengths));
  const clips = clipsOfLength(sentences, seconds, Math.max(CLIENTS, 2 * context.rounds));
  await postClips(server, tier, clips.slice(0, 1), 1);
  const { wallSeconds, audioSeconds, failures } = await postClips(server, tier, clips, CLIENTS);
  const speed = audioSeconds / wallSeconds;
  const tried: string[] = [];
  const tryStreams = async (count: number): Promise<number> => {
    const ms = await closeToResultMs(server, tier, clips, count);
    tried.push(`${count}: ${Number.isFinite(ms) ? `${(ms / 1000).toFixed(1)} s` : 'refused'}`);
    context.log(`${tier}, ${tried.at(-1)}`);
    return ms;
  };
  const limitMs = Math.max(HELD_MS, HELD_TIMES_ALONE * (await tryStreams(1)));
  const isHeld = async (count: number): Promise<boolean> => (await tryStreams(count)) <= limitMs;
  return {
    tier,
    'audio hours per hour': speed.toFixed(1),
    'streams held': await streamsHeld(isHeld, speed * FIRST_SHARE, Math.min(STEPS_MAX, context.rounds)),
    'streams tried, p95 of close→result': tried.join('; '),
    failed: failures.length,
  };
};

export const capacity: Section = {
  title: 'Capacity of one machine',
  about:
    `English. Hours: clips of ${CLIP_SECONDS} s from ${CLIENTS} clients. Streams: speech without pause in real time, one ` +
    `stream after the other from each speaker; held if ${100 * HELD_SHARE} % of the results arrive within ${HELD_MS / 1000} s of ` +
    'the close, or within twice the time of a single stream. `faircopy doctor` should agree within 25 %.',
  run: (context) => measureTiers(context, async (tier, server) => [await measure(context, tier, server)]),
};
