// Streams in real time: the time from close_stream to the result, and the cost.
import { setTimeout as later } from 'node:timers/promises';
import type { Faircopy } from '@faircopy/client';
import type { ModelId } from '@faircopy/contract';
import { clientOf } from './clients.ts';
import type { Cell } from './markdown-table.ts';
import { BYTES_PER_SECOND, wavOf } from './pcm-speech.ts';
import { costBetween } from './process-cost.ts';
import type { ServerProcess } from './server-process.ts';
import { megabytes, percentile } from './statistics.ts';

export const FRAME_MS = 100;
const FILE_ROUNDS = 3;
/** Silence before close_stream, in every second row. */
const SILENCE_SECONDS = 1.5;
/** The starts of parallel streams are spread over this time. */
const SPREAD_MS = 1_000;

/** The median time of file mode on the same speech. */
const fileMs = async (client: Faircopy, model: ModelId, audio: Buffer): Promise<number> => {
  const times: number[] = [];
  for (let round = 0; round < FILE_ROUNDS; round += 1) {
    const start = performance.now();
    await client.transcribe(wavOf(audio), { model });
    times.push(performance.now() - start);
  }
  return percentile(times, 0.5);
};

export function* framesOf(audio: Buffer, frameMs = FRAME_MS): Generator<Buffer> {
  const frameBytes = (BYTES_PER_SECOND * frameMs) / 1000;
  for (let at = 0; at < audio.length; at += frameBytes) yield audio.subarray(at, at + frameBytes);
}

/** Sends the frames in real time; resolves to the milliseconds from close_stream to the result. */
export const streamInRealTime = async (client: Faircopy, model: ModelId, frames: Iterable<Buffer>): Promise<number> => {
  const stream = client.stream({ model });
  await stream.opened;
  const startMs = performance.now();
  let sentMs = 0;
  for (const frame of frames) {
    await later(Math.max(0, startMs + sentMs - performance.now()));
    await stream.send(frame);
    sentMs += FRAME_MS;
  }
  const closedMs = performance.now();
  await stream.finish();
  return performance.now() - closedMs;
};

/** The same speech from another starting point, so that parallel streams do not do the same work. */
const rotated = (audio: Buffer, share: number): Buffer => {
  const at = Math.floor((share * audio.length) / 2) * 2;
  return Buffer.concat([audio.subarray(at), audio.subarray(0, at)]);
};

export interface StreamRun {
  readonly model: ModelId;
  readonly speech: Buffer;
  /** Numbers of parallel streams. */
  readonly counts: readonly number[];
  /** How often a single stream is measured, each time with different words at the end. */
  readonly roundsAlone: number;
}

const measure = async (
  server: ServerProcess,
  { model, speech, roundsAlone }: StreamRun,
  count: number,
  silenceSeconds: number,
  baseMs: number,
): Promise<Record<string, Cell>> => {
  const client = clientOf(server);
  const silence = Buffer.alloc(silenceSeconds * BYTES_PER_SECOND);
  const before = await server.cost();
  const outcomes: PromiseSettledResult<number>[] = [];
  const rounds = count === 1 ? roundsAlone : 1;
  for (let round = 0; round < rounds; round++) {
    const streams = Array.from({ length: count }, async (_, nth) => {
      const share = nth / count + round / rounds;
      const audio = Buffer.concat([rotated(speech, share % 1), silence]);
      await later((nth / count) * SPREAD_MS);
      return streamInRealTime(client, model, framesOf(audio));
    });
    outcomes.push(...(await Promise.allSettled(streams)));
  }
  const { cpuSeconds, rssBytes } = costBetween(before, await server.cost());
  const times = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  for (const outcome of outcomes) if (outcome.status === 'rejected') console.error(String(outcome.reason));
  const audioSeconds = (outcomes.length * (speech.length + silence.length)) / BYTES_PER_SECOND;
  return {
    tier: model,
    streams: count,
    closes: silenceSeconds === 0 ? 'speaking' : `${silenceSeconds} s silent`,
    'file ms': Math.round(baseMs),
    'close→result p50 ms': Math.round(percentile(times, 0.5)),
    'p95 ms': Math.round(percentile(times, 0.95)),
    'p50 ÷ file': (percentile(times, 0.5) / baseMs).toFixed(3),
    'CPU s per audio s': (cpuSeconds / audioSeconds).toFixed(3),
    'RSS MB': megabytes(rssBytes),
    failed: outcomes.length - times.length,
  };
};

/** A row for each number of streams, closed during speech and after a silence. */
export const measureStreams = async (
  server: ServerProcess,
  run: StreamRun,
  log: (text: string) => void,
): Promise<Record<string, Cell>[]> => {
  const rows: Record<string, Cell>[] = [];
  const baseMs = await fileMs(clientOf(server), run.model, run.speech);
  for (const count of run.counts) {
    for (const silenceSeconds of [0, SILENCE_SECONDS]) {
      rows.push(await measure(server, run, count, silenceSeconds, baseMs));
      log(JSON.stringify(rows.at(-1)));
    }
  }
  return rows;
};
