// The server's status for administrators. Part of the composition, since it reads from many rooms.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { MODEL_IDS, type ServerStatus } from '@faircopy/contract';
import { BUILD } from '../lib/process/version.ts';
import type { Readiness } from '../observability/readiness.ts';
import { configuredTiers } from '../speech/cascade/chosen-models.ts';
import { weightsFor } from '../speech/cascade/tiers.ts';
import { LocalSpeechEngine } from '../speech/engine.ts';
import type { SpeechEngine } from '../speech/recogniser.ts';
import { modelBytes, readCatalogue } from '../speech/store/catalogue.ts';
import type { Storage } from '../storage/open.ts';
import type { WatchedTranscription } from '../transcription/metrics.ts';
import type { Config } from './config.ts';

export interface StatusSources {
  readonly config: Config;
  readonly storage: Storage;
  readonly readiness: Readiness;
  readonly transcription: WatchedTranscription;
  readonly engine: SpeechEngine;
}

export interface StatusReader {
  read(): ServerStatus;
  close(): void;
}

export const openStatusReader = (sources: StatusSources): StatusReader => {
  const startedAt = new Date().toISOString();
  const lag = monitorEventLoopDelay({ resolution: 20 });
  lag.enable();
  const catalogue = readCatalogue();
  const table = configuredTiers(sources.config, catalogue);
  const models = weightsFor(sources.config.models, table).map((id) => ({
    id,
    bytes: catalogue.filter((model) => model.id === id).reduce((sum, model) => sum + modelBytes(model), 0),
    tiers: MODEL_IDS.filter((tier) => sources.config.models.includes(tier) && weightsFor([tier], table).includes(id)),
  }));
  return {
    read: () => {
      const { level, openSessions } = sources.transcription;
      const { engine } = sources;
      const processes = engine instanceof LocalSpeechEngine ? engine.processes : [];
      return {
        version: BUILD,
        node: process.version,
        started_at: startedAt,
        ready: sources.readiness.state === 'ready',
        database: sources.storage.engine === 'sqlite' ? 'sqlite' : 'postgresql',
        queue: {
          waiting_windows: level.queuedWindows,
          waiting_audio_seconds: level.queuedAudioSeconds,
          sessions: openSessions,
          busy_slots: level.busySlots,
          slots: level.slots,
        },
        recognisers: processes.map((one) => ({
          pid: one.pid,
          state: one.state,
          jobs_done: one.callsDone,
          restarts: one.restarts,
          rss_bytes: one.rssBytes,
        })),
        models,
        rss_bytes: process.memoryUsage.rss(),
        event_loop_lag_ms: Math.round(lag.mean / 1e4) / 100,
      };
    },
    close: () => lag.disable(),
  };
};
