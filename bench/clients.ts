// Posts files to a running service from several concurrent clients, and measures the service.
import { Faircopy } from '@faircopy/client';
import type { ModelId } from '@faircopy/contract';
import { type Clip, secondsOf } from './clips.ts';
import { pcm16, wavOf } from './pcm-speech.ts';
import { costBetween, type ProcessCost } from './process-cost.ts';
import type { ServerProcess } from './server-process.ts';
import { sum } from './statistics.ts';

export interface Posted {
  readonly wallSeconds: number;
  readonly audioSeconds: number;
  /** One entry per successful request. */
  readonly latencyMs: readonly number[];
  /** By the name of the clip. */
  readonly transcripts: ReadonlyMap<string, string>;
  readonly failures: readonly string[];
  readonly cost: ProcessCost;
  /** CPU time of the model calls alone; NaN unless the service counts them. */
  readonly modelCpuSeconds: number;
}

export const clientOf = ({ url, key }: ServerProcess): Faircopy =>
  new Faircopy({ baseUrl: url, apiKey: key, retries: 0 });

/** Sends every clip once. Each client sends its next clip when the previous one is answered. */
export const postClips = async (
  server: ServerProcess,
  model: ModelId,
  clips: readonly Clip[],
  clients: number,
): Promise<Posted> => {
  const client = clientOf(server);
  // Encoded in advance, so that encoding is not measured.
  const waiting = clips.map((clip) => ({ clip, file: wavOf(pcm16(clip.samples)) }));
  const latencyMs: number[] = [];
  const transcripts = new Map<string, string>();
  const failures: string[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const startedMs = performance.now();
      try {
        const { result } = await client.transcribe(next.file, { model });
        latencyMs.push(performance.now() - startedMs);
        transcripts.set(next.clip.name, result.transcript);
      } catch (thrown) {
        failures.push(`${next.clip.name}: ${thrown}`);
      }
    }
  };
  const modelsBefore = await server.modelBaseline();
  const before = await server.cost();
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: clients }, work));
  const wallSeconds = (performance.now() - startedMs) / 1000;
  const cost = costBetween(before, await server.cost());
  const modelsAfter = await server.modelBaseline();
  const modelCpuSeconds = modelsBefore && modelsAfter ? modelsAfter.cpuSeconds - modelsBefore.cpuSeconds : Number.NaN;
  for (const failure of failures) console.error(failure);
  const audioSeconds = sum(clips.map(secondsOf));
  return { wallSeconds, audioSeconds, latencyMs, transcripts, failures, cost, modelCpuSeconds };
};
