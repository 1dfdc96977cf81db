// Sessions on a scripted engine, for tests.
import { ScriptedEngine } from '../../../speech/testing/scripted-engine.ts';
import { type TranscriberOptions, TranscriptionService } from '../../service.ts';
import { passthroughRefiner } from '../../testing/passthrough-refiner.ts';
import { InlineRefinementStage } from '../../text/refinement-stage.ts';
import type { Session, SessionRequest } from '../../transcriber.ts';

export const REQUEST: SessionRequest = {
  requestId: 'r1',
  accountId: 'a1',
  mode: 'file',
  model: 'svc-1.0-lite',
  languageHint: undefined,
  vocabulary: [],
  wantWordTimes: true,
  waitingSecondsMax: 1_200,
};

export const scriptedService = (
  engine = new ScriptedEngine(),
  options: Partial<TranscriberOptions> = {},
): TranscriptionService =>
  new TranscriptionService({
    engine,
    refinementStage: new InlineRefinementStage(passthroughRefiner),
    recognitionTimeoutMs: 90_000,
    refinementTimeoutMs: 60_000,
    graceMs: 60_000,
    ...options,
  });

export const writeAll = async (
  session: Pick<Session, 'write'>,
  samples: Float32Array,
  chunkSamples = 8_000,
): Promise<void> => {
  for (let at = 0; at < samples.length; at += chunkSamples) await session.write(samples.slice(at, at + chunkSamples));
};

/** Writes in pieces of 100 ms, as a microphone would. */
export const speakInto = async (session: Pick<Session, 'write'>, samples: Float32Array): Promise<void> => {
  for (let at = 0; at < samples.length; at += 1_600) {
    await session.write(samples.slice(at, at + 1_600));
    await new Promise((resolve) => setImmediate(resolve));
  }
};
