// The floor: the same audio through the same planning and models in one process, where only the model calls are counted.
import { join } from 'node:path';
import type { ModelId } from '@faircopy/contract';
import { letHeapGrow } from '@faircopy/server/dist/src/platform/heap.js';
import { createRefiner } from '@faircopy/server/dist/src/refine/create-refiner.js';
import { loadInference } from '@faircopy/server/dist/src/speech/inference.js';
import { neededModels, VAD_WEIGHTS_ID } from '@faircopy/server/dist/src/speech/store/needed.js';
import { storedModels } from '@faircopy/server/dist/src/speech/testing/stored-models.js';
import { QueuedVoiceProbe } from '@faircopy/server/dist/src/speech/vad/probe.js';
import { VAD_STATE_SIZE } from '@faircopy/server/dist/src/speech/vad/silero-graph.js';
import { loadSileroModel } from '@faircopy/server/dist/src/speech/vad/silero-model.js';
import { TranscriptionService } from '@faircopy/server/dist/src/transcription/service.js';
import { InlineTextStage } from '@faircopy/server/dist/src/transcription/text-stage.js';
import { answerWith } from './answering.ts';
import { loadWatched, type ModelRuns } from './model-runs.ts';

export type RawQuestion =
  | { readonly tiers: readonly ModelId[]; readonly threads: number }
  | { readonly tier: ModelId; readonly samples: Float32Array };

export interface RawAnswer {
  readonly recognition: ModelRuns;
  readonly voice: ModelRuns;
}

// As in a recogniser: what the collector would take is no part of the model calls.
letHeapGrow();

const PATIENCE_MS = 60 * 60 * 1000;
const PIECE_SAMPLES = 16_000;

const open = async (tiers: readonly ModelId[], threads: number) => {
  const stored = await storedModels(neededModels(tiers));
  if ('skip' in stored) throw new Error(stored.skip);
  const { store } = stored;
  const inference = await loadWatched(() => loadInference({ modelFolder: (id) => store.folderOf(id), tiers, threads }));
  const judge = await loadWatched(() => loadSileroModel(join(store.folderOf(VAD_WEIGHTS_ID), 'silero_vad_v6.onnx')));
  const loads = { recognition: inference.take(), voice: judge.take() };
  await inference.loaded.warmUp();
  inference.take();
  const service = new TranscriptionService({
    engine: {
      recogniser: {
        slots: 1,
        recognise: (job) => inference.loaded.recognise(job, () => false),
        close: () => inference.loaded.close(),
      },
      openVoiceProbe: () => new QueuedVoiceProbe(judge.loaded, VAD_STATE_SIZE),
      ready: async () => {},
      close: async () => {},
    },
    textStage: new InlineTextStage(createRefiner()),
    recognitionTimeoutMs: PATIENCE_MS,
    refinementTimeoutMs: PATIENCE_MS,
    graceMs: 0,
  });
  const hear = async (model: ModelId, samples: Float32Array): Promise<RawAnswer> => {
    const about = { requestId: 'raw', accountId: 'raw', mode: 'file', languageHint: undefined } as const;
    const session = service.open({ ...about, model, vocabulary: [], wantWordTimes: false });
    for (let at = 0; at < samples.length; at += PIECE_SAMPLES) {
      await session.write(samples.slice(at, at + PIECE_SAMPLES));
    }
    await session.finish();
    return { recognition: inference.take(), voice: judge.take() };
  };
  return { loads, hear };
};

let opened: Awaited<ReturnType<typeof open>> | undefined;

answerWith(async (question: RawQuestion): Promise<RawAnswer> => {
  if ('samples' in question) {
    if (!opened) throw new Error('asked before the models were loaded');
    return opened.hear(question.tier, question.samples);
  }
  opened = await open(question.tiers, question.threads);
  return opened.loads;
});
