// What one machine holds: audio hours per hour, and live streams at once. `faircopy doctor` foretells both.
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
/** A number of streams is held while this share of the results comes within this time of the close … */
const HELD_SHARE = 0.95;
const HELD_MS = 2_000;
/** … or within this multiple of a single stream's time, if that is more. */
const HELD_TIMES_ALONE = 2;
/** Where the search begins, as a share of what file mode reaches, and how far it steps. */
const FIRST_SHARE = 0.7;
const STEP = 1.15;
const STEPS_MAX = 6;

/** Speakers with one stream after the other, started at different times. Resolves to the p95 from close to result. */
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
      // A stream that is refused is not held.
      const refused = () => Number.POSITIVE_INFINITY;
      times.push(await streamInRealTime(client, model, framesOf(pcm16(samples))).catch(refused));
    }
    return times;
  };
  const times = await Promise.all(Array.from({ length: count }, (_, nth) => speak(nth)));
  return percentile(times.flat(), HELD_SHARE);
};

/** The largest number that is held, found by steps of 15 % up or down from the first guess. */
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
  // Steps ran out: upwards the last was held, downwards none was.
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
  title: 'What one machine holds',
  about:
    `English. Hours: clips of ${CLIP_SECONDS} s from ${CLIENTS} clients. Streams: speech without pause in real time, one ` +
    `stream after the other from each speaker; held while ${100 * HELD_SHARE} % of the results come within ${HELD_MS / 1000} s of ` +
    'the close, or within twice what one stream alone takes. `faircopy doctor` should say the same within a quarter.',
  run: (context) => measureTiers(context, async (tier, server) => [await measure(context, tier, server)]),
};
