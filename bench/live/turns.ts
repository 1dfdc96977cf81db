// Ends of turns in real time: how late they are told, and how often in a pause after which the same person goes on.
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
  readonly isEnd: (message: { readonly event?: string; readonly speech_final?: boolean }) => boolean;
}

const silence = (ms: number): TurnWay => ({
  name: `silence of ${ms} ms`,
  path: '/v1/listen',
  query: `endpointing=${ms}`,
  isEnd: ({ speech_final }) => speech_final === true,
});

export const TURN_WAYS: readonly TurnWay[] = [
  ...[300, 600, 1_000].map(silence),
  {
    name: 'end of turn, eot_threshold 0.7',
    path: '/v2/listen',
    query: 'eot_threshold=0.7&eot_timeout_ms=3000',
    isEnd: ({ event }) => event === 'EndOfTurn',
  },
];

/** When ends were told, in milliseconds of the audio, which is sent in real time. */
export const endsOf = async (
  { url, key }: ServerProcess,
  { samples }: CallSide,
  model: string,
  { path, query, isEnd }: TurnWay,
): Promise<number[]> => {
  const raw = `model=${model}&encoding=linear16&sample_rate=${BYTES_PER_SECOND / 2}`;
  const headers = { authorization: `Token ${key}` };
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}?${raw}&${query}`, { headers });
  const closed = new Promise<void>((resolve, reject) => {
    socket.on('close', () => resolve());
    socket.on('error', reject);
  });
  const ends: number[] = [];
  let startMs = 0;
  socket.on('message', (data) => {
    if (isEnd(JSON.parse(String(data)))) ends.push(performance.now() - startMs);
  });
  await new Promise((resolve) => socket.once('open', resolve));
  startMs = performance.now();
  await sendFrames(
    pcm16(samples),
    'real time',
    (frame) => new Promise((resolve) => socket.send(frame, () => resolve())),
  );
  const sentMs = performance.now() - startMs;
  socket.send(JSON.stringify({ type: 'CloseStream' }));
  await closed;
  // CloseStream ends a turn, too.
  return ends.filter((atMs) => atMs < sentMs);
};

export interface TurnScore {
  readonly delaysMs: number[];
  ends: number;
  inside: number;
  falseEnds: number;
}

export const newTurnScore = (): TurnScore => ({ delaysMs: [], ends: 0, inside: 0, falseEnds: 0 });

/** Counts each pause once, by the first end that was told in it. */
export const addTurns = (score: TurnScore, { pauses }: CallSide, toldMs: readonly number[]): void => {
  for (const { atMs, untilMs, isEnd } of pauses) {
    const told = toldMs.find((ms) => ms >= atMs && ms < untilMs);
    score[isEnd ? 'ends' : 'inside'] += 1;
    if (told === undefined) continue;
    if (isEnd) score.delaysMs.push(told - atMs);
    else score.falseEnds += 1;
  }
};

export const turnRow = (name: string, { delaysMs, ends, inside, falseEnds }: TurnScore) => {
  const all = [...delaysMs, ...Array.from({ length: ends - delaysMs.length }, () => Number.POSITIVE_INFINITY)];
  const shown = (ms: number): string => (Number.isFinite(ms) ? String(Math.round(ms)) : 'none');
  return {
    'a turn ends by': name,
    ends,
    'told before the same person speaks again': `${Math.round((100 * delaysMs.length) / Math.max(1, ends))} %`,
    'delay p50 ms': shown(percentile(all, 0.5)),
    'of those told, p50 ms': shown(percentile(delaysMs, 0.5)),
    'pauses inside turns': inside,
    'false ends': `${((100 * falseEnds) / Math.max(1, inside)).toFixed(1)} %`,
  };
};
