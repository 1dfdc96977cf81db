// Turns the reports of transcription into metrics and trace spans.
import { MODEL_IDS } from '@faircopy/contract';
import { Counter, Gauge, Histogram } from 'prom-client';
import { type Metrics, SECONDS_BUCKETS } from '../observability/metrics.ts';
import { noTracer, type Tracer } from '../observability/tracer.ts';
import type { QueueLevel, TranscriptionObserver } from './observer.ts';
import { QueueWaits } from './queue-waits.ts';

export interface WatchedTranscription {
  readonly observer: TranscriptionObserver;
  readonly level: QueueLevel;
  readonly openSessions: number;
  /** Waiting times for the usage rows. */
  readonly queueWaits: QueueWaits;
}

/** Spans are recorded when they end, in wall-clock time. */
const sinceMs = (tookMs: number, endMs = Date.now()) => ({ startMs: endMs - tookMs, endMs });

const NO_LEVEL: QueueLevel = {
  queuedWindows: 0,
  queuedAudioSeconds: 0,
  queuedAudioSecondsByTier: new Map(),
  busySlots: 0,
  slots: 0,
};

export const watchTranscription = (metrics: Metrics, tracer: Tracer = noTracer): WatchedTranscription => {
  let level: QueueLevel = NO_LEVEL;
  let openSessions = 0;
  const queueWaits = new QueueWaits();
  metrics.watch('faircopy_queue_jobs', 'Windows of speech waiting for a recogniser.', () => level.queuedWindows);
  metrics.watch('faircopy_queue_audio_seconds', 'Speech waiting for a recogniser.', () => level.queuedAudioSeconds);
  metrics.watch('faircopy_open_sessions', 'Requests and streams being transcribed.', () => openSessions);

  const registers = [metrics.registry];
  new Gauge({
    name: 'faircopy_tier_queue_audio_seconds',
    help: 'Speech waiting for a recogniser, by tier.',
    labelNames: ['model'],
    registers,
    collect() {
      for (const model of MODEL_IDS) this.set({ model }, level.queuedAudioSecondsByTier.get(model) ?? 0);
    },
  });
  const jobs = new Counter({
    name: 'faircopy_recogniser_jobs_total',
    help: 'Windows sent to a recogniser, by outcome; speculative ones ran ahead of time.',
    labelNames: ['model', 'outcome', 'speculative'],
    registers,
  });
  const jobSeconds = new Histogram({
    name: 'faircopy_recogniser_job_seconds',
    help: 'Time that a window spent in the queue and in its recogniser.',
    labelNames: ['model', 'part'],
    buckets: SECONDS_BUCKETS,
    registers,
  });
  const stages = new Counter({
    name: 'faircopy_stages_total',
    help: 'Recognition and refinement stages, by outcome.',
    labelNames: ['mode', 'stage', 'outcome'],
    registers,
  });
  const sessions = new Counter({
    name: 'faircopy_sessions_total',
    help: 'Ended sessions, and whether the answer was ready when the end marker arrived.',
    labelNames: ['mode', 'model', 'outcome', 'answer'],
    registers,
  });

  const restored = new Counter({
    name: 'faircopy_numbers_restored_total',
    help: 'Numbers whose refinement was undone because it would have changed their value.',
    registers,
  });

  const absent = new Counter({
    name: 'faircopy_tier_absent_total',
    help: 'Requests refused because no recogniser served their tier.',
    labelNames: ['model'],
    registers,
  });
  for (const model of MODEL_IDS) absent.inc({ model }, 0);

  const lost = new Counter({
    name: 'faircopy_speakers_lost_total',
    help: 'Live streams that continued without speakers because their models failed.',
    registers,
  });

  const observer: TranscriptionObserver = {
    queueChanged: (now) => {
      level = now;
    },
    windowEnded: ({ requestId, tier, outcome, speculative, waitMs, runMs }) => {
      queueWaits.note({ requestId, speculative, waitMs });
      const run = sinceMs(runMs);
      tracer.record({ requestId, name: 'queue', ...sinceMs(waitMs, run.startMs) });
      const attributes = { model: tier, outcome, speculative: String(speculative) };
      tracer.record({ requestId, name: 'recognise', ...run, isFailure: outcome === 'failed', attributes });
      jobs.inc({ model: tier, outcome, speculative: String(speculative) });
      jobSeconds.observe({ model: tier, part: 'wait' }, waitMs / 1000);
      jobSeconds.observe({ model: tier, part: 'run' }, runMs / 1000);
    },
    stageEnded: ({ requestId, stage, mode, outcome, tookMs }) => {
      stages.inc({ mode, stage, outcome });
      const isFailure = outcome === 'failed' || outcome === 'timed_out';
      if (stage === 'refinement') tracer.record({ requestId, name: 'refine', ...sinceMs(tookMs), isFailure });
    },
    sessionOpened: () => {
      openSessions += 1;
    },
    numbersRestored: (count) => restored.inc(count),
    tierAbsent: (model) => absent.inc({ model }),
    speakersLost: () => lost.inc(),
    sessionEnded: ({ mode, tier, outcome, answer }) => {
      openSessions -= 1;
      sessions.inc({ mode, model: tier, outcome, answer });
    },
  };
  return {
    observer,
    queueWaits,
    get level() {
      return level;
    },
    get openSessions() {
      return openSessions;
    },
  };
};
