// Clients of a running service: files posted by several of them at once, and what that took.
import { Faircopy } from '@faircopy/client';
import type { ModelId } from '@faircopy/contract';
import { type Clip, secondsOf } from './clips.ts';
import { sum } from './figures.ts';
import { type ProcessCost, spent } from './process-cost.ts';
import type { ServerChild } from './server-child.ts';
import { pcm16, wavOf } from './speech.ts';

export interface Posted {
  readonly wallSeconds: number;
  readonly audioSeconds: number;
  /** Of each request that was answered. */
  readonly answerMs: readonly number[];
  /** By the name of the clip. */
  readonly transcripts: ReadonlyMap<string, string>;
  readonly failures: readonly string[];
  readonly cost: ProcessCost;
  /** CPU within model calls; NaN unless the service counts them. */
  readonly callSeconds: number;
}

export const clientOf = ({ url, key }: ServerChild): Faircopy =>
  new Faircopy({ baseUrl: url, apiKey: key, retries: 0 });

/** Every clip once; each client sends its next one when the last was answered. */
export const postClips = async (
  server: ServerChild,
  model: ModelId,
  clips: readonly Clip[],
  clients: number,
): Promise<Posted> => {
  const client = clientOf(server);
  // Made beforehand: what the sender does must not count.
  const waiting = clips.map((clip) => ({ clip, file: wavOf(pcm16(clip.samples)) }));
  const answerMs: number[] = [];
  const transcripts = new Map<string, string>();
  const failures: string[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const startedMs = performance.now();
      try {
        const { result } = await client.transcribe(next.file, { model });
        answerMs.push(performance.now() - startedMs);
        transcripts.set(next.clip.name, result.transcript);
      } catch (thrown) {
        failures.push(`${next.clip.name}: ${thrown}`);
      }
    }
  };
  const callsBefore = await server.callSeconds();
  const before = await server.cost();
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: clients }, work));
  const wallSeconds = (performance.now() - startedMs) / 1000;
  const cost = spent(before, await server.cost());
  const callSeconds = (await server.callSeconds()) - callsBefore;
  for (const failure of failures) console.error(failure);
  return { wallSeconds, audioSeconds: sum(clips.map(secondsOf)), answerMs, transcripts, failures, cost, callSeconds };
};
