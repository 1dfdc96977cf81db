// Ends of turns in real time: how late they are reported, and how many are false because the same person continues.
import { WebSocket } from 'ws';
import { BYTES_PER_SECOND, pcm16 } from '../pcm-speech.ts';
import type { ServerProcess } from '../server-process.ts';
import { percentile } from '../statistics.ts';
import type { CallSide } from './call-sides.ts';
import { sendFrames } from './captions.ts';

export interface TurnWay {
  readonly name: string;
  readonly path: string;
  readonly query: string;
  /** The end of the turn in seconds of audio, according to the message; undefined for other messages. */
  readonly endOf: (message: Message) => number | undefined;
}

interface Message {
  readonly event?: string;
  readonly audio_window_end?: number;
  readonly speech_final?: boolean;
  readonly start?: number;
  readonly duration?: number;
}

/** An end of a turn: when it was reported, and where in the audio it is. Audio is sent in real time. */
export interface ToldEnd {
  readonly toldMs: number;
  readonly endMs: number;
}

const silence = (ms: number): TurnWay => ({
  name: `silence of ${ms} ms`,
  path: '/v1/listen',
  query: `endpointing=${ms}`,
  endOf: ({ speech_final, start = 0, duration = 0 }) => (speech_final ? start + duration : undefined),
});

const endOfTurn = (threshold: number): TurnWay => ({
  name: `end of turn, eot_threshold ${threshold}`,
  path: '/v2/listen',
  query: `eot_threshold=${threshold}`,
  endOf: ({ event, audio_window_end }) => (event === 'EndOfTurn' ? audio_window_end : undefined),
});

export const TURN_WAYS: readonly TurnWay[] = [
  ...[300, 600, 1_000].map(silence),
  ...[0.5, 0.6, 0.7, 0.8].map(endOfTurn),
];

/** As the plugins of LiveKit send it. */
const AGENT_FRAME_MS = 50;

export const endsOf = async (
  { url, key }: ServerProcess,
  { samples }: CallSide,
  model: string,
  { path, query, endOf }: TurnWay,
): Promise<ToldEnd[]> => {
  // As with the model `flux-general-en`: the calls are in English.
  const raw = `model=${model}&detect_language=en&encoding=linear16&sample_rate=${BYTES_PER_SECOND / 2}`;
  const headers = { authorization: `Token ${key}` };
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}?${raw}&${query}`, { headers });
  const closed = new Promise<void>((resolve, reject) => {
    socket.on('close', () => resolve());
    socket.on('error', reject);
  });
  const ends: ToldEnd[] = [];
  let startMs = 0;
  socket.on('message', (data) => {
    const end = endOf(JSON.parse(String(data)) as Message);
    if (end !== undefined) ends.push({ toldMs: performance.now() - startMs, endMs: 1000 * end });
  });
  await new Promise((resolve) => socket.once('open', resolve));
  startMs = performance.now();
  await sendFrames(
    pcm16(samples),
    'real time',
    (frame) => new Promise((resolve) => socket.send(frame, () => resolve())),
    AGENT_FRAME_MS,
  );
  const sentMs = performance.now() - startMs;
  socket.send(JSON.stringify({ type: 'CloseStream' }));
  await closed;
  // Ignores the end that CloseStream causes.
  return ends.filter(({ toldMs }) => toldMs < sentMs);
};

export interface TurnScore {
  readonly delaysMs: number[];
  ends: number;
  inside: number;
  falseEnds: number;
}

export const newTurnScore = (): TurnScore => ({ delaysMs: [], ends: 0, inside: 0, falseEnds: 0 });

/** The reported end of speech may be this much earlier than in the reference. */
const EARLY_MS = 350;

/**
 * Counts each pause once, by the first end that refers to it. A late end does not count for the pause in which it arrives.
 * If it arrives after the same person speaks again, a true end counts as missed, but a false end still counts.
 */
export const addTurns = (score: TurnScore, { pauses }: CallSide, told: readonly ToldEnd[]): void => {
  let spokenMs = 0;
  for (const { atMs, untilMs, isEnd } of pauses) {
    const fromMs = Math.max(spokenMs, atMs - EARLY_MS);
    const end = told.find(({ endMs }) => endMs >= fromMs && endMs < untilMs);
    spokenMs = untilMs;
    score[isEnd ? 'ends' : 'inside'] += 1;
    if (end === undefined) continue;
    if (!isEnd) score.falseEnds += 1;
    else if (end.toldMs < untilMs) score.delaysMs.push(end.toldMs - atMs);
  }
};

export const turnRow = (name: string, { delaysMs, ends, inside, falseEnds }: TurnScore) => {
  const all = [...delaysMs, ...Array.from({ length: ends - delaysMs.length }, () => Number.POSITIVE_INFINITY)];
  const shown = (ms: number): string => (Number.isFinite(ms) ? String(Math.round(ms)) : 'none');
  return {
    'a turn ends by': name,
    ends,
    'reported before the same person speaks again': `${Math.round((100 * delaysMs.length) / Math.max(1, ends))} %`,
    'delay p50 ms': shown(percentile(all, 0.5)),
    'of those reported, p50 ms': shown(percentile(delaysMs, 0.5)),
    'pauses inside turns': inside,
    'false ends': `${((100 * falseEnds) / Math.max(1, inside)).toFixed(1)} %`,
  };
};
