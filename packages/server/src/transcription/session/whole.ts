// The policy `whole`: windows are recognised while audio arrives, and one final for all audio follows the end marker.
import { Fault } from '../../lib/fault.ts';
import { SAMPLES_PER_MS } from '../../lib/sample-rate.ts';
import { joinedText } from '../../refine/token.ts';
import { SEGMENTER_SETTINGS, SpeechSegmenter } from '../../speech/vad/segmenter.ts';
import type { StageReport } from '../observer.ts';
import { Planner } from '../planning/planner.ts';
import { type Window, windowEndMs } from '../planning/window.ts';
import { windowPolicy } from '../planning/window-policy.ts';
import { appliedTerms } from '../recognition/applied-terms.ts';
import type { RecognisedWindow } from '../recognition/assemble.ts';
import type { WindowWork } from '../recognition/window-work.ts';
import type { Urgency } from '../scheduling/task.ts';
import { withSpeakers } from '../speakers/sessions/transcript-speakers.ts';
import { SpeculativeRefinement } from '../text/speculative-refinement.ts';
import { StableText } from '../text/stable-text.ts';
import type { SessionSummary } from '../transcriber.ts';
import type { SessionContext, SessionOutcome, SessionPolicy } from './session-policy.ts';
import { StageTimer } from './stage-timer.ts';

/** After a pause this long, the last word's padding is complete, so the tail can be recognised speculatively. */
const SPECULATION_PAUSE_SAMPLES = SEGMENTER_SETTINGS.paddingMs * SAMPLES_PER_MS;

export class WholeRecording implements SessionPolicy {
  readonly #context: SessionContext;
  readonly #segmenter = new SpeechSegmenter();
  readonly #planner: Planner;
  readonly #speculativeRefinement: SpeculativeRefinement;
  readonly #stageTimer: StageTimer;
  readonly #committed: WindowWork[] = [];
  /** The newest speculative tail, and the newest one whose windows are all recognised. */
  #tail: readonly WindowWork[] = [];
  #recognisedTail: readonly WindowWork[] = [];
  #stableText: StableText | undefined;
  #answer: 'ready' | 'worked' = 'worked';

  constructor(context: SessionContext) {
    const { request, scheduler, clock, observer, refinementStage } = context;
    this.#context = context;
    this.#planner = new Planner(windowPolicy(request.mode, scheduler.slots));
    this.#speculativeRefinement = new SpeculativeRefinement(refinementStage, clock);
    this.#stageTimer = new StageTimer(clock, (stage, outcome, tookMs) =>
      observer.stageEnded({ requestId: request.requestId, stage, mode: request.mode, outcome, tookMs }),
    );
  }

  get answer(): 'ready' | 'worked' {
    return this.#answer;
  }

  get neededFromSample(): number {
    return this.#planner.neededFromSample;
  }

  get hasWindows(): boolean {
    return this.#committed.length > 0;
  }

  judged(probabilities: Float32Array): void {
    const view = this.#segmenter.push(probabilities);
    for (const window of this.#planner.push(view, probabilities)) this.#commit(window, 'steady');
    this.#speculate(view.pauseSamples);
  }

  /** A whole recording has no utterances to end. */
  async flush(): Promise<void> {}

  emitStableText(): void {
    const { isTextStable, refinementStage, clock, emit, refineInput, assemble } = this.#context;
    this.#stableText = new StableText({
      isEarly: isTextStable,
      refine: (recognised, signal) => refinementStage.run(refineInput(assemble(recognised), true), signal),
      clock,
      onText: (text, recognised) =>
        emit({
          type: 'stable_text',
          text,
          untilMs: Math.max(0, ...recognised.map(({ window }) => windowEndMs(window))),
        }),
    });
    this.#stableText.update(this.#recognisedPrefix());
  }

  ending(spentMs: number): void {
    const timeoutMs = this.#grown(this.#context.recognitionTimeoutMs);
    this.#context.timeBudget.begin(timeoutMs, spentMs);
    this.#beginStage('recognition', timeoutMs, spentMs);
    this.#context.recogniser.expedite();
  }

  async conclude(totalSamples: number): Promise<SessionSummary> {
    const { request, observer, signal, emit, refinementTimeoutMs, refineInput, assemble, redaction } = this.#context;
    this.#commitRest(totalSamples);
    const speakers = this.#context.recordingSpeakers?.finish();
    // Awaited below. Avoids an unhandled rejection if recognition fails first.
    speakers?.catch(() => undefined);
    const ready = this.#completed();
    if (ready && this.#speculativeRefinement.holds(ready)) this.#answer = 'ready';
    const recognised = ready ?? (await this.#recognised());
    const [found, names] = await Promise.all([speakers, request.speakers?.names]);
    signal.throwIfAborted();
    const recognitionMs = this.#stageTimer.end('done');

    // The whole text is refined next; refining its beginning would delay that.
    this.#stableText?.close();
    this.#beginStage('refinement', this.#grown(refinementTimeoutMs));
    const assembled = assemble(recognised);
    const input = refineInput(assembled);
    const result = await this.#speculativeRefinement.final(recognised, () => input, signal);
    signal.throwIfAborted();
    const refinementMs = this.#stageTimer.end('done');
    if (result.refined.numbersRestored > 0) observer.numbersRestored(result.refined.numbersRestored);
    const { outputTokenCount } = result;
    const { language: detectedLanguage } = assembled;
    const spoken = appliedTerms(joinedText(input.pieces), recognised);
    const { refined, segments, words, terms } = redaction.conceal(assembled, input, result.refined, spoken);
    const { rawText, edits, fallback: refinementFallback } = refined;
    const text = this.#stableText?.finish(refined.text) ?? refined.text;
    const written = { text, rawText, segments, words, edits, terms, detectedLanguage, outputTokenCount };
    const transcript = found ? withSpeakers(written, found, names) : written;
    emit({ type: 'final', final: { startMs: 0, endMs: totalSamples / SAMPLES_PER_MS, endedBy: 'end', transcript } });
    const effort = this.#context.timeBudget.isReduced && { effort: 'reduced' as const };
    return { detectedLanguage, outputTokenCount, recognitionMs, refinementMs, refinementFallback, ...effort };
  }

  close(outcome: SessionOutcome): void {
    this.#stageTimer.end(outcome);
    this.#speculativeRefinement.cancel();
    this.#stableText?.close();
  }

  #commit(window: Window, urgency: Urgency): void {
    const { recogniser, fail } = this.#context;
    const work = recogniser.commit(window, urgency, { earlier: this.#recognisedTail });
    this.#committed.push(work);
    if (work.recognised) return;
    work.result.then(() => this.#progressed()).catch((failure) => fail(failure));
  }

  #commitRest(totalSamples: number): void {
    const { recogniser } = this.#context;
    if (!recogniser.isSpeculating(this.#planner.tail())) {
      // Keep what was recognised at the last pause; only later speech is left to recognise.
      const kept = this.#keptTail().map(({ window }) => window);
      for (const window of this.#planner.keepRecognised(kept)) this.#commit(window, 'final');
    }
    for (const window of this.#planner.end(this.#segmenter.end(totalSamples), totalSamples))
      this.#commit(window, 'final');
    recogniser.keepOnly([]);
    recogniser.expedite();
  }

  /** Recognises the tail speculatively at a pause; when speech resumes, its windows may still be kept. */
  #speculate(pauseSamples: number): void {
    const { request, recogniser, state, isCaughtUp } = this.#context;
    if (request.mode !== 'stream' || state !== 'open') return;
    if (!isCaughtUp || pauseSamples < SPECULATION_PAUSE_SAMPLES) return;
    const windows = this.#planner.tail();
    this.#recognisedTail = this.#keptTail();
    const known = new Set(windows.map((window) => recogniser.speculated(window)));
    this.#tail = recogniser.speculate(windows);
    for (const work of this.#tail) {
      if (known.has(work)) continue;
      // Speculation that fails or is dropped is repeated when its window is committed.
      work.result.then(() => this.#progressed()).catch(() => undefined);
    }
    this.#refineAhead(windows);
  }

  /** The newest speculative tail that is fully recognised; more may have been said since. */
  #keptTail(): readonly WindowWork[] {
    const isRecognised = this.#tail.length > 0 && this.#tail.every((work) => work.recognised);
    return isRecognised ? this.#tail : this.#recognisedTail;
  }

  /** Refines speculatively when everything said so far is recognised. */
  #refineAhead(tail: readonly Window[]): void {
    const recognised = this.#completed(tail);
    if (!recognised || recognised.length === 0) return;
    this.#speculativeRefinement.start(recognised, () => this.#context.refineInput(this.#context.assemble(recognised)));
  }

  #progressed(): void {
    const { request, state, makeRoom } = this.#context;
    if (state === 'over') return;
    makeRoom();
    this.#stableText?.update(this.#recognisedPrefix());
    if (state === 'open' && request.mode === 'stream') this.#refineAhead(this.#planner.tail());
  }

  /** Results of the committed windows and this speculative tail, in order; null while one is missing. */
  #completed(tail: readonly Window[] = []): RecognisedWindow[] | null {
    const works = [...this.#committed, ...tail.map((window) => this.#context.recogniser.speculated(window))];
    const recognised: RecognisedWindow[] = [];
    for (const work of works) {
      if (!work?.recognised) return null;
      recognised.push(...work.recognised);
    }
    return recognised;
  }

  async #recognised(): Promise<RecognisedWindow[]> {
    const parts = await Promise.all(this.#committed.map(({ result }) => result));
    return parts.flat();
  }

  /** Results of the committed windows before the first one that is not recognised yet. */
  #recognisedPrefix(): RecognisedWindow[] {
    const missing = this.#committed.findIndex(({ recognised }) => !recognised);
    const prefix = missing === -1 ? this.#committed : this.#committed.slice(0, missing);
    return prefix.flatMap(({ recognised }) => recognised ?? []);
  }

  /** Adds the length of the recording to the timeout if the recording is long. */
  #grown(timeoutMs: number): number {
    const { request, buffer } = this.#context;
    return request.isLong ? timeoutMs + buffer.endSample / SAMPLES_PER_MS : timeoutMs;
  }

  #beginStage(name: StageReport['stage'], timeoutMs: number, spentMs = 0): void {
    const { signal, fail } = this.#context;
    this.#stageTimer.begin(name, Math.max(0, timeoutMs - spentMs), () => {
      const message = `The ${name} stage took longer than ${Math.round(timeoutMs / 1000)} s.`;
      fail(new Fault('SERVICE_UNAVAILABLE', { message }), 'timed_out');
    });
    signal.throwIfAborted();
  }
}
