// Metrics for Prometheus. Label values come from small fixed sets and never hold ids, keys or text.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Fault } from '../lib/fault.ts';
import { BUILD } from '../lib/process/version.ts';

export const SECONDS_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 90];

/** Reported by servers for their own recognisers, and by workers for theirs, so that the sum counts each slot once. */
export const RECOGNISER_SLOTS = 'Windows that the recognisers of this machine can process at the same time.';
export const RECOGNISER_SLOTS_BUSY = 'Windows being recognised on this machine.';

/** The fields of a ledger row that are counted. */
export interface CountedRequest {
  readonly mode: string;
  readonly model: string | null;
  readonly status: string;
  readonly audioSeconds: number;
  readonly billedSeconds: number;
  readonly receiveMs: number | null;
  readonly recognitionMs: number | null;
  readonly refinementMs: number | null;
  /** Why the language model's text was not used; null when it was used or none is configured. */
  readonly refinementFallback: string | null;
}

/** One set of metrics per application, so that tests do not share metrics. */
export class Metrics {
  readonly registry = new Registry();

  readonly httpRequests = new Counter({
    name: 'faircopy_http_requests_total',
    help: 'HTTP responses by route, method and status; status 0 if the client disconnected first.',
    labelNames: ['route', 'method', 'status'],
    registers: [this.registry],
  });
  readonly requests = new Counter({
    name: 'faircopy_requests_total',
    help: 'Authenticated transcription requests by mode, model and outcome (success or the error code).',
    labelNames: ['mode', 'model', 'code'],
    registers: [this.registry],
  });
  readonly #refusals = new Counter({
    name: 'faircopy_requests_refused_total',
    help: 'Requests refused before they had a usage row, by error code.',
    labelNames: ['code'],
    registers: [this.registry],
  });
  readonly #countedRefusals = new WeakSet<Fault>();
  readonly stageSeconds = new Histogram({
    name: 'faircopy_stage_seconds',
    help: 'Time that requests spent in a stage: receive, recognition, refinement.',
    labelNames: ['mode', 'stage'],
    buckets: SECONDS_BUCKETS,
    registers: [this.registry],
  });
  readonly audioSeconds = new Counter({
    name: 'faircopy_audio_seconds_total',
    help: 'Seconds of audio received.',
    labelNames: ['mode', 'model'],
    registers: [this.registry],
  });
  readonly billedSeconds = new Counter({
    name: 'faircopy_billed_seconds_total',
    help: 'Seconds billed.',
    labelNames: ['mode', 'model'],
    registers: [this.registry],
  });
  readonly refinementFallbacks = new Counter({
    name: 'faircopy_refinement_fallbacks_total',
    help: 'Responses with the rule-based text although a language model is configured, by reason.',
    labelNames: ['reason'],
    registers: [this.registry],
  });

  readonly budgetEvents = new Counter({
    name: 'faircopy_budget_events_total',
    help: 'Budgets that were nearly used up (warning) or used up, by scope (account or key) and span.',
    labelNames: ['kind', 'scope', 'span'],
    registers: [this.registry],
  });

  constructor() {
    // Event-loop lag, resident memory, CPU, open handles.
    collectDefaultMetrics({ register: this.registry });
    new Gauge({
      name: 'faircopy_build_info',
      help: 'Always 1; the version of the build is its label.',
      labelNames: ['version'],
      registers: [this.registry],
    }).set({ version: BUILD }, 1);
    // Exported from the start, so that the first refusals show as an increase.
    this.#refusals.inc({ code: 'SERVICE_UNAVAILABLE' }, 0);
  }

  /** Counts a request by its ledger row. */
  count(entry: CountedRequest): void {
    const labels = { mode: entry.mode, model: entry.model ?? 'none' };
    this.requests.inc({ ...labels, code: entry.status });
    this.audioSeconds.inc(labels, entry.audioSeconds);
    this.billedSeconds.inc(labels, entry.billedSeconds);
    if (entry.refinementFallback !== null) this.refinementFallbacks.inc({ reason: entry.refinementFallback });
    const stages = { receive: entry.receiveMs, recognition: entry.recognitionMs, refinement: entry.refinementMs };
    for (const [stage, ms] of Object.entries(stages))
      if (ms !== null) this.stageSeconds.observe({ mode: entry.mode, stage }, ms / 1000);
  }

  /** Counts a refusal once, however many checks it passes through. */
  countRefusal(fault: Fault): void {
    if (this.#countedRefusals.has(fault)) return;
    this.#countedRefusals.add(fault);
    this.#refusals.inc({ code: fault.code });
  }

  /** Adds a gauge whose value is read on demand. */
  watch(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  /** The page in Prometheus text format. */
  async page(): Promise<{ readonly type: string; readonly text: string }> {
    return { type: this.registry.contentType, text: await this.registry.metrics() };
  }
}
