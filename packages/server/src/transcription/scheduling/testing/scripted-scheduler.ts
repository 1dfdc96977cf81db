// A scheduler on a scripted engine, and tasks for it, for tests.
import type { ModelId } from '@faircopy/contract';
import { windowOf } from '../../../speech/testing/recogniser-fixtures.ts';
import { ScriptedEngine } from '../../../speech/testing/scripted-engine.ts';
import { type QueueLevel, silentObserver } from '../../observer.ts';
import { Scheduler, type SchedulerOptions } from '../scheduler.ts';
import type { Task } from '../task.ts';

/** Its clock stands still until `pass`. */
export const scriptedScheduler = (slots = 1, options: Partial<SchedulerOptions> = {}) => {
  const engine = new ScriptedEngine({ slots });
  let nowMs = 0;
  let level: QueueLevel = {
    queuedWindows: 0,
    queuedAudioSeconds: 0,
    queuedAudioSecondsByTier: new Map(),
    busySlots: 0,
    slots,
  };
  const scheduler = new Scheduler({
    recogniser: engine.recogniser,
    clock: { now: () => nowMs, monotonicMs: () => nowMs },
    observer: { ...silentObserver, queueChanged: (now) => (level = now) },
    queuedAudioSecondsMax: 10_000,
    waitSecondsMax: 90,
    crowdedWaitSecondsMax: 3,
    ...options,
  });
  const pass = (ms: number) => (nowMs += ms);
  return { engine, scheduler, pass, level: () => level };
};

export const task = (of: Partial<Task> & { readonly name?: string } = {}): Task => {
  const tier: ModelId = of.tier ?? 'svc-1.0-pro';
  const audioSamples = of.audioSamples ?? 160_000;
  return {
    accountId: 'a',
    requestId: 'r',
    urgency: 'steady',
    tier,
    audioSamples,
    window: () => windowOf({ tier, samples: new Float32Array(16), vocabulary: of.name ? [{ text: of.name }] : [] }),
    ...of,
  };
};
